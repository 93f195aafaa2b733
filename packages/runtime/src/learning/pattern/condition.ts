// Conditions: what went wrong, whichever program reports it and in which words. One table; the failure contract comes before texts. Pure.

export interface ConditionFacts {
  readonly reason_code: string | null
  readonly exit_code: number | null
  readonly timed_out: boolean
  readonly program: string | null
  /** The lines that say what went wrong, the most telling first. */
  readonly lines: readonly string[]
}

interface ConditionRow {
  readonly name: string
  /** A sentence about it, without its object. */
  readonly says: string
  /** Reason codes of failure contracts. */
  readonly codes?: readonly string[]
  readonly exit_codes?: readonly number[]
  /** Exit codes that mean this only for some programs. */
  readonly of_programs?: ReadonlyMap<string, number>
  readonly text?: RegExp
  /** It often follows from an earlier failure, and is the cause itself only if nothing else is. */
  readonly often_follows?: true
}

/** Specific ones first: a text belongs to the first that matches any of its lines. */
export const conditions: readonly ConditionRow[] = [
  {
    name: 'merge_conflict',
    says: 'A git merge has conflicts that are not resolved.',
    codes: ['merge_conflicts', 'resolution_unusable'],
    text: /^(?:CONFLICT|KONFLIKT) \(|merge[ -]conflict|merge-konflikt|automatic merge failed|automatischer merge fehlgeschlagen|unmerged (?:files|paths)|nicht zusammengeführte|not concluded your (?:merge|cherry-pick)|needs merge|could not apply|conflict marker|konfliktmarker|<{7} |fix conflicts|konflikte (?:auf|be)|index auflösen|resolve your current index|unresolved conflict|unaufgelöste\w* konflikt|while merging|während (?:ein|des|eines|beim)? ?.{0,10}merge|in the middle of a (?:merge|cherry-pick|revert)|merge .{0,20}nicht abgeschlossen|MERGE_HEAD|not uptodate\. cannot merge/i,
  },
  {
    name: 'detached_head',
    says: 'The git repository is not on a branch.',
    text: /not currently on a branch|not on any branch|auf keinem branch|head does not point to a branch|losgelöste[rn]? head|detached head/i,
  },
  // A module with a path is a file of the project.
  { name: 'missing_file', says: 'A file or folder does not exist.', text: /cannot find module '(?:\.{0,2}\/|[A-Z]:\\)/i },
  {
    name: 'missing_dependency',
    says: 'A package that the program needs is not installed.',
    text: /cannot find (?:module|package)|MODULE_NOT_FOUND|ModuleNotFoundError|no module named|cannot resolve module|can't resolve '|could not resolve "|failed to resolve import|error TS2307|modul .{0,80}(?:nicht (?:gefunden|installiert|finden)|fehlt)|paket .{0,80}(?:nicht (?:gefunden|installiert)|fehlt)|PackageNotFoundError|DistributionNotFound|missing dependenc|unmet dependenc|ELSPROBLEMS|missing: \S+@|missing packages|(?:which )?is not installed|nicht installiert|abhängigkeit .{0,60}(?:fehlt|nicht)|can't locate \S+ in @INC|cannot load such file|could not find gem|no required module provides|can't find crate|ClassNotFoundException|there is no package called|kein paket namens|error while loading shared libraries/i,
  },
  {
    name: 'port_in_use',
    says: 'The port is already in use.',
    text: /EADDRINUSE|address (?:is )?already in use|adresse wird bereits (?:verwendet|benutzt)|\[Errno 98\]|port .{0,60}(?:already|in use|bereits|belegt|besetzt|vergeben|occupied|is taken|not free|nicht frei)|already (?:listening|running) on|(?:läuft|lauscht) bereits auf|only one usage of each socket/i,
  },
  {
    name: 'unauthorized',
    says: 'The server did not accept the credentials.',
    codes: ['unauthorized', 'search_key_refused', 'needs_sign_in', 'needs_authorization', 'missing_secret'],
    text: /\bE40[13]\b|\b(?:401 unauthorized|403 forbidden)\b|authentication failed|authentifizierung fehlgeschlagen|permission denied \(publickey|could not read (?:username|password)|returned error: 40[13]|bad credentials/i,
  },
  {
    name: 'disk_full',
    says: 'There is no space left on the disk.',
    codes: ['disk_full', 'store_full'],
    text: /ENOSPC|EDQUOT|no space left|kein speicherplatz|disk quota|speicherplatz .{0,40}verfügbar|not enough (?:free )?(?:disk )?space|\[Errno (?:28|122)\]/i,
  },
  {
    name: 'permission_denied',
    says: 'The operating system denied access to a file.',
    codes: ['permission_denied'],
    exit_codes: [126],
    text: /\bE(?:ACCES|PERM|ROFS)\b|permission denied|PermissionError|keine berechtigung|zugriff verweigert|zugriff (?:wurde )?nicht erlaubt|operation not permitted|operation (?:ist )?nicht (?:erlaubt|gestattet)|read-only file system|nur lesbares dateisystem|insufficient permission|fehlende (?:schreib|lese)?(?:rechte|berechtigung)|unzureichende berechtigung|berechtigung verweigert|nicht berechtigt|keine (?:schreib|lese)?rechte|dateisystem ist nur lesbar|access (?:is )?denied|not writ(?:e)?able|nicht (?:be)?schreibbar|schreibgeschützt|write[- ]protected|\[Errno (?:13|1|30)\]/i,
  },
  {
    name: 'damaged_archive',
    says: 'An archive is damaged or incomplete.',
    codes: ['pack_damaged'],
    text: /(?<!SyntaxError: )unexpected (?:eof|end of (?:file|archive|data|input))(?! JSON)|unerwartetes (?:dateiende|ende)|vorzeitiges ende|premature end|ends unexpectedly|ended before the end-of-stream|malformed archive|cannot find zipfile directory|unvermitteltes ende|not in gzip format|nicht im gzip-format|compressed file ended before|truncated (?:archive|tar|gzip|zip|input|header)|(?:archive|archiv) .{0,60}(?:truncated|damaged|corrupt|beschädigt|unvollständig|abgeschnitten)|tarfile\.\w*Error|(?:BadZipFile|BadGzipFile|zlib\.error|LZMAError)|end-of-central-directory|crc (?:error|check failed)|Z_(?:BUF|DATA)_ERROR|TAR_(?:BAD_ARCHIVE|ABORT)|ERR_(?:PACK|TAR)\w*|does not look like a tar archive|sieht nicht wie ein .{0,5}tar|incorrect (?:header|data) check|invalid (?:compressed data|stored block|tar header)|early EOF|is not a (?:zip|tar|gzip)|record boundary|recordgrenze|lone zero block/i,
  },
  {
    name: 'timed_out',
    says: 'It took longer than its time limit.',
    codes: ['timed_out', 'time_limit_exceeded', 'start_timed_out', 'timeout'],
    exit_codes: [124, 142, 143, 152],
    of_programs: new Map([['curl', 28]]),
    text: /ETIMEDOUT|ESOCKETTIMEDOUT|ERR_(?:SOCKET_|TEST_)?TIMEOUT|\btimed[ -]out\b|TimeoutError|TimeoutExpired|zeitüberschreitung|zeitlimit|deadline exceeded|time limit|timeout (?:of|after|exceeded|reached|expired)|testTimeoutFailure|exceeded timeout|curl: \(28\)|network timeout|AbortError|timeout >|operation too slow|wartezeit .{0,40}abgelaufen|alarm clock|took too long|(?:dauert|gedauert) .{0,20}zu lange?|zu lange gedauert|did not (?:finish|complete|respond|answer) (?:with)?in|nicht (?:innerhalb|rechtzeitig)|zeitgrenze/i,
  },
  {
    name: 'connection_refused',
    says: 'The host refused the connection.',
    codes: ['connection_failed', 'unreachable', 'connection_refused'],
    of_programs: new Map([['curl', 7]]),
    often_follows: true,
    text: /ECONNREFUSED|connection refused|failed to connect to|couldn't connect|could not connect|verbindungsaufbau abgelehnt|verbindung .{0,40}(?:verweigert|abgelehnt|fehlgeschlagen)|failed to establish a new connection|ConnectionRefusedError|curl: \(7\)|\[Errno 111\]|actively refused|keine verbindung (?:zu|zum|zur|mit)|nicht erreichbar|lehnt .{0,40}verbindung ab|verbindung .{0,60}nicht möglich|unable to connect to/i,
  },
  {
    name: 'unknown_host',
    says: 'The name of the host could not be resolved.',
    codes: ['host_not_found'],
    of_programs: new Map([['curl', 6]]),
    text: /ENOTFOUND|EAI_AGAIN|getaddrinfo|could not resolve (?:host|proxy)|name or service not known|temporary failure in name resolution|name oder .{0,20}dienst .{0,20}nicht bekannt|curl: \(6\)/i,
  },
  {
    name: 'connection_lost',
    says: 'The connection was interrupted.',
    codes: ['disconnected'],
    text: /ECONNRESET|EPIPE|socket hang up|connection (?:was )?reset|broken pipe|remote end hung up|RemoteDisconnected|IncompleteRead|curl: \((?:18|52|56)\)/i,
  },
  {
    name: 'certificate',
    says: 'The certificate of the host was not accepted.',
    codes: ['tls_failed'],
    text: /certificate (?:verify failed|has expired|problem)|self[- ]signed certificate|CERT_\w+|UNABLE_TO_VERIFY|SSL: CERTIFICATE|ERR_TLS/i,
  },
  {
    name: 'not_published',
    says: 'The package or version does not exist in the registry.',
    text: /\bE404\b|no matching (?:distribution|version)|ETARGET|could not find a version that satisfies|kein passendes paket/i,
  },
  {
    name: 'not_on_server',
    says: 'The server does not have what was requested.',
    text: /returned error: 404|\b404\b.{0,20}not found|HTTPError: (?:HTTP Error )?404/i,
  },
  {
    name: 'server_error',
    says: 'The server reported an error of its own.',
    codes: ['http_status'],
    text: /returned error: 5\d\d|HTTP Error 5\d\d|\bE5\d\d\b/i,
  },
  {
    name: 'dependency_conflict',
    says: 'The versions of required packages exclude each other.',
    text: /ERESOLVE|ResolutionImpossible|conflicting (?:dependencies|peer)/i,
  },
  {
    name: 'integrity',
    says: 'A downloaded package is not the expected one.',
    text: /EINTEGRITY|hash(?:es)? (?:do not|mismatch)|checksums? (?:mismatch|failed|did not match)|prüfsumme/i,
  },
  { name: 'not_a_repository', says: 'The folder is not a git repository.', text: /not a git repository|kein git-repository/i },
  {
    name: 'unknown_revision',
    says: 'The branch, tag or commit does not exist.',
    text: /did not match any file|unknown revision|bad revision|couldn't find remote ref|invalid reference|not a valid object name|stimmt mit keine|unbekannter commit|ungültige referenz/i,
  },
  {
    name: 'local_changes',
    says: 'Local changes would be lost.',
    text: /would be overwritten by|please commit your changes or stash|würden (?:durch|von|beim)? ?.{0,60}überschrieben/i,
  },
  {
    name: 'push_rejected',
    says: 'The remote repository has commits that are missing here.',
    text: /\[(?:remote )?rejected\]|non-fast-forward|failed to push some refs|\[zurückgewiesen\]|versenden einiger referenzen/i,
  },
  {
    name: 'missing_script',
    says: 'The project does not define the script.',
    text: /missing script|no rule to make target|keine regel, um/i,
  },
  {
    name: 'out_of_memory',
    says: 'There was not enough memory.',
    exit_codes: [137],
    text: /heap out of memory|MemoryError|cannot allocate memory|ENOMEM|nicht genügend (?:haupt)?speicher/i,
  },
  {
    name: 'invalid_json',
    says: 'A text is not valid JSON.',
    codes: ['response_malformed'],
    text: /JSONDecodeError|in JSON at position|end of JSON input|is not valid JSON|EJSONPARSE/i,
  },
  {
    name: 'syntax_error',
    says: 'The code has a syntax error.',
    text: /SyntaxError|IndentationError|TabError|syntax error|syntaxfehler|error TS1\d{3}\b|parse error/i,
  },
  {
    name: 'failed_test',
    says: 'A test failed.',
    text: /AssertionError|ERR_ASSERTION|^\s*not ok |^FAILED?\b|# fail [1-9]|\bfailures=\d|\d+ (?:tests? )?(?:failed|failing)|^✖ |^✗ |strictly (?:deep-)?equal|tests? (?:did )?fail|test\w* .{0,60}(?:fehlgeschlagen|gescheitert)|assertion (?:failed|violated)|^E {3}assert|expected .{0,80}(?:but|to (?:be|equal)|got)|erwartet.{0,80}(?:erhalten|bekommen|aber|war|ist)|zusicherung|^--- FAIL|test result: failed|failed example|(?:wrong|incorrect) (?:value|result|total)|falsche[rs]? (?:wert|ergebnis)|stimmt nicht|instead of \d/i,
  },
  {
    name: 'missing_command',
    says: 'The program is not installed.',
    codes: ['interpreter_missing', 'ripgrep_missing'],
    exit_codes: [127],
    often_follows: true,
    text: /command not found|kommando nicht gefunden|befehl nicht gefunden|^sh: \d*:? ?\S+: not found|spawn \S+ ENOENT|executable file not found/i,
  },
  {
    name: 'missing_file',
    says: 'A file or folder does not exist.',
    codes: ['not_found', 'source_missing', 'workspace_gone'],
    often_follows: true,
    text: /\bENOENT\b|no such file|FileNotFoundError|datei oder verzeichnis nicht gefunden|couldn't open file|does not exist|existiert nicht|\[Errno 2\]/i,
  },
]

/** Reason codes that only say that something failed: the text says what. */
export const vagueCodes: ReadonlySet<string> = new Set([
  'tool_error',
  'internal_error',
  'failed',
  'unknown',
  'command_failed',
  'server_error',
])

const byCode: ReadonlyMap<string, ConditionRow> = new Map(conditions.flatMap((row) => (row.codes ?? []).map((code) => [code, row])))
const byName: ReadonlyMap<string, ConditionRow> = new Map(conditions.map((row) => [row.name, row]))

/** From the failure contract if it has one, otherwise from how the command ended and what it printed. */
export function conditionOf({ reason_code, exit_code, timed_out, program, lines }: ConditionFacts): string | null {
  if (reason_code !== null && !vagueCodes.has(reason_code)) return byCode.get(reason_code)?.name ?? null
  if (timed_out) return 'timed_out'
  const said = conditions.find(({ text }) => text && lines.some((line) => text.test(line)))
  if (said) return said.name
  const ended = conditions.find(
    ({ exit_codes, of_programs }) =>
      exit_code !== null && (exit_codes?.includes(exit_code) || (program !== null && of_programs?.get(program) === exit_code)),
  )
  return ended?.name ?? null
}

export function conditionText(name: string): string {
  return byName.get(name)?.says ?? ''
}

export function oftenFollows(name: string | null): boolean {
  return name !== null && byName.get(name)?.often_follows === true
}
