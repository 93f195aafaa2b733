// Conditions: what went wrong, whichever program reports it and in which words. One table; the failure contract comes before texts. Pure.
import { compileExpressions } from '../../scheduler/compile-expressions.ts'
import type { SlicedWork } from '../../scheduler/slices.ts'
import { factIn, factRows } from './kind-of-fact.ts'

export interface ConditionFacts {
  readonly reason_code: string | null
  readonly exit_code: number | null
  readonly timed_out: boolean
  readonly signal?: string | null
  readonly program: string | null
  /** The lines that say what went wrong, the most telling first. */
  readonly lines: readonly string[]
  /** More of the output, read only if these lines say nothing, or only that something is not there. */
  more?(): readonly string[]
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
  /** It only says that something failed: the rest of the output may say what. */
  readonly summary?: true
  /** The text leaves no doubt, though others of this name do. */
  readonly certain?: true
  /** A mistake in the command itself: others rarely follow from it. */
  readonly slip?: true
}

/** Specific ones first: a text belongs to the first that matches any of its lines. */
export const conditions: readonly ConditionRow[] = [
  {
    name: 'merge_conflict',
    says: 'A git merge has conflicts that are not resolved.',
    codes: ['merge_conflicts', 'resolution_unusable'],
    text: /^(?:CONFLICT|KONFLIKT) \(|\bunexpected\b.{0,12}<<|merge[ -]conflict|merge-konflikt|automatic merge failed|automatischer merge fehlgeschlagen|unmerged (?:files|paths)|nicht zusammengeführte|not concluded your (?:merge|cherry-pick)|needs merge|could not apply|conflict marker|konfliktmarker|<{7} |fix conflicts|konflikte (?:auf|be)|index auflösen|resolve your current index|unresolved conflict|unaufgelöste\w* konflikt|while merging|während (?:ein|des|eines|beim)? ?.{0,10}merge|in the middle of a (?:merge|cherry-pick|revert)|merge .{0,20}nicht abgeschlossen|MERGE_HEAD|not uptodate\. cannot merge|could not revert|<{7}(?:\W|$)|>{7} \S|conflict(?:s|ing)? (?:in|between) \S+\.\w+$|patch (?:failed|does not apply)|patch\w* .{0,60}(?:nicht angewendet|fehlgeschlagen)|hunk .{0,20}(?:failed|fehlgeschlagen)|saving rejects|conflicts? (?:must|need|have) .{0,20}resolved|(?:rebase|cherry-pick|revert)\W+befehls? (?:gewechselt|abgebrochen)|während eines laufenden/i,
  },
  {
    name: 'detached_head',
    says: 'The git repository is not on a branch.',
    text: /not currently on a branch|not on any branch|auf keinem branch|head does not point to a branch|losgelöste[rn]? head|detached head/i,
  },
  // A module with a path is a file of the project.
  { name: 'missing_file', says: 'A file or folder does not exist.', certain: true, text: /cannot find module '(?:\.{0,2}\/|[A-Z]:\\)/i },
  {
    name: 'missing_dependency',
    says: 'A package that the program needs is not installed.',
    text: /cannot find (?:module|package)|MODULE_NOT_FOUND|ModuleNotFoundError|no module named|cannot resolve module|can't resolve '|could not resolve "|failed to resolve import|error TS2307|modul .{0,80}(?:nicht (?:gefunden|installiert|finden)|fehlt)|paket .{0,80}(?:nicht (?:gefunden|installiert)|fehlt)|PackageNotFoundError|DistributionNotFound|missing dependenc|unmet dependenc|ELSPROBLEMS|missing: \S+@|missing packages|(?:which )?is not installed|nicht installiert|abhängigkeit .{0,60}(?:fehlt|nicht)|can't locate \S+ in @INC|cannot load such file|could not find gem|no required module provides|can't find crate|ClassNotFoundException|there is no package called|kein paket namens|error while loading shared libraries|fatal error: \S+\.h\w*:|schwerwiegender fehler: \S+\.h\w*:|cannot find -l\S|-l\S+ kann nicht gefunden|pkg-config search path|no package '\S+' found|could not find a (?:package configuration|required)|could not find \w+ \(missing|package [\w.]+ does not exist|paket [\w.]+ ist nicht vorhanden|NoClassDefFoundError|gemeinsam genutzte\w* bibliothek|cannot open shared object|can't find package|kann .{0,40}(?:paket|modul|bibliothek) .{0,40}nicht finden|(?:library|module|package|dependency|plugin|extension|toolchain) \S+ (?:was |is |could )?not (?:be )?(?:found|available|loaded)|(?:bibliothek|erweiterung|klasse) .{0,60}nicht (?:gefunden|vorhanden|verfügbar)|(?:please|first|bitte|zuerst|try|requires?|benötigt).{0,40}\b(?:pip3?|npm|apt(?:-get)?|gem|cargo|yarn|pnpm|brew) (?:install|add)\b|please install|bitte .{0,60}installieren|requires .{0,60}(?:package|library|module) .{0,20}install|^make\S*: \S+: (?:no such file|datei oder)|^(?:\/usr\/bin\/)?env: .{0,60}(?:no such file|nicht gefunden)|\berror 127\b|\bfehler 127\b/i,
  },
  {
    name: 'port_in_use',
    says: 'The port is already in use.',
    text: /EADDRINUSE|address (?:is )?already in use|adresse wird bereits (?:verwendet|benutzt)|\[Errno 98\]|port .{0,60}(?:already|in use|bereits|belegt|besetzt|vergeben|occupied|is taken|not free|nicht frei)|already (?:listening|running) on|(?:läuft|lauscht) bereits auf|only one usage of each socket|(?:cannot|could not|couldn't|unable to|failed to) bind(?!.{0,120}(?:permission|EACCES|assign))|(?:kann|konnte) .{0,60}nicht (?:gebunden|binden)|another (?:process|server|instance|program|service)\b.{0,60}\b(?:port|address|listening)|ein anderer? (?:prozess|server|dienst)\b.{0,60}\b(?:port|adresse|lauscht)|(?:address|socket) .{0,40}(?:in use|is taken)|adresse .{0,40}(?:belegt|vergeben|benutzt)|BindException/i,
  },
  {
    name: 'wrong_usage',
    says: 'The command was called in a wrong way.',
    exit_codes: [64],
    slip: true,
    text: /(?:unknown|unrecogni[sz]ed|invalid|illegal|ambiguous|no such) (?:option|argument|flag|switch|(?:sub)?command)|(?:unbekannte|ungültige|mehrdeutige)[rs]? (?:option|argument|schalter|(?:unter)?befehl)|unexpected EOF while looking for|dateiende beim suchen nach|shell quoting|(?:missing|extra) operand|(?:fehlender|zusätzlicher) operand|option requires an argument|option .{0,20}(?:benötigt|erfordert|verlangt) ein argument|invalid choice|the following arguments are required|is not a git command|ist kein git-befehl/i,
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
    text: /\bE(?:ACCES|PERM|ROFS)\b|permission denied|PermissionError|keine berechtigung|zugriff verweigert|zugriff (?:wurde )?nicht erlaubt|operation not permitted|operation (?:ist )?nicht (?:erlaubt|gestattet)|read-only file system|nur lesbares dateisystem|insufficient permission|fehlende (?:schreib|lese)?(?:rechte|berechtigung)|unzureichende berechtigung|berechtigung verweigert|nicht berechtigt|keine (?:schreib|lese)?rechte|dateisystem ist nur lesbar|access (?:is )?denied|not writ(?:e)?able|nicht (?:be)?schreibbar|schreibgeschützt|write[- ]protected|\[Errno (?:13|1|30)\]|AccessDenied|access (?:was |is )?not (?:allowed|permitted)|readonly (?:database|file)|read-only (?:database|file|transaction)|dubious ownership|not (?:the )?owner\b|not owned by|unsafe (?:repository|ownership)|(?:zweifelhafte|fragwürdige|fremde) besitz|you (?:must|need to) be root|are you root|superuser|insufficient privilege|(?:nicht|keine) .{0,20}(?:nötigen|erforderlichen|ausreichenden) (?:rechte|berechtigung)|unable to create directory|not permitted to|not allowed to (?:read|write|open|access|execute)|darf .{0,60}nicht (?:gelesen|geschrieben|geöffnet|ausgeführt)/i,
  },
  {
    name: 'damaged_archive',
    says: 'An archive is damaged or incomplete.',
    codes: ['pack_damaged'],
    text: /(?<!SyntaxError: )unexpected (?:eof(?! while looking)|end of (?:file|archive|data|input))(?! JSON)|unerwartetes (?:dateiende|ende)|vorzeitiges ende|premature end|ends unexpectedly|ended before the end-of-stream|malformed archive|cannot find zipfile directory|unvermitteltes ende|not in gzip format|nicht im gzip-format|compressed file ended before|truncated (?:archive|tar|gzip|zip|input|header)|(?:archive|archiv) .{0,60}(?:truncated|damaged|corrupt|beschädigt|unvollständig|abgeschnitten)|tarfile\.\w*Error|(?:BadZipFile|BadGzipFile|zlib\.error|LZMAError)|end-of-central-directory|crc (?:error|check failed)|Z_(?:BUF|DATA)_ERROR|TAR_(?:BAD_ARCHIVE|ABORT)|ERR_(?:PACK|TAR)\w*|does not look like a tar archive|sieht nicht wie ein .{0,5}tar|incorrect (?:header|data) check|invalid (?:compressed data|stored block|tar header)|early EOF|is not a (?:zip|tar|gzip)|record boundary|recordgrenze|lone zero block|zu frühes (?:datei)?ende|vorzeitiges dateiende|EOFException|ZipException|zip end header|invalid (?:cen|loc|end) header|error in opening zip|error reading \S+\.(?:jar|zip|whl|tgz|gz)|(?:file|download|archive|package|stream|wheel|jar) (?:is |was |seems |appears )?(?:truncated|incomplete|corrupt(?:ed)?|damaged)|(?:datei|download|paket) .{0,40}(?:abgeschnitten|unvollständig|beschädigt)|not a valid (?:zip|archive|wheel|jar|package|tar)|invalid wheel|(?:not|unrecognized|unknown) .{0,20}archive format|is not an? (?:\S+ ){0,2}archive|not in \w+ format|nicht im \S+format|magic number|decompress(?:ion)? (?:error|failed)|(?:cannot|unable to|failed to) (?:decompress|unpack|extract)|decoding error|truncated (?:file|data|stream|body)|corrupt(?:ed)? (?:jar|zip|archive|file|package|data)|unfinished (?:stream|block|frame)|(?:unrecognized|invalid|truncated) (?:header|frame)|cannot be decoded|: unsupported format|file (?:format not recognized|truncated)|dateiformat nicht erkannt|short read|bytes? (?:remaining to read|missing)|IncompleteRead|curl: \(18\)|invalid (?:zip|gzip|archive)|index-?pack failed|unexpected end of (?:stream|zlib|compressed)/i,
  },
  {
    name: 'timed_out',
    says: 'It took longer than its time limit.',
    codes: ['timed_out', 'time_limit_exceeded', 'start_timed_out', 'timeout'],
    exit_codes: [124, 142, 143, 152],
    of_programs: new Map([['curl', 28]]),
    text: /ETIMEDOUT|ESOCKETTIMEDOUT|ERR_(?:SOCKET_|TEST_)?TIMEOUT|\btimed[ -]out\b|TimeoutError|TimeoutExpired|zeitüberschreitung|zeitlimit|deadline exceeded|time limit|timeout (?:of|after|exceeded|reached|expired)|testTimeoutFailure|exceeded timeout|curl: \(28\)|network timeout|AbortError|timeout >|operation too slow|wartezeit .{0,40}abgelaufen|alarm clock|took too long|(?:dauert|gedauert) .{0,20}zu lange?|zu lange gedauert|did not (?:finish|complete|respond|answer) (?:with)?in|nicht (?:innerhalb|rechtzeitig)|zeitgrenze|\w*Timeout(?:Error|Exception|Expired)\b|\b(?:read|connect(?:ion)?|request|statement|lock|query|socket|idle|gateway|response|test|job|step|operation|command) time-?out\b|due to .{0,30}time-?out|\*{3} ?timeout|\(timeout\)|time-?out(?:ed)? (?:while|waiting|in|for|at)\b|\b(?:not|no (?:answer|response|reply|result)) .{0,20}\bin time\b|no (?:answer|response|reply) (?:with)?in\b|(?:zeit|frist|wartezeit|limit) (?:ist |war |wurde )?(?:abgelaufen|überschritten|um)\b|innerhalb der (?:frist|zeit)|keine (?:antwort|rückmeldung) .{0,30}(?:innerhalb|nach|binnen|in) .{0,20}\d|time (?:is )?(?:expired|up|ran out)\b|ran out of time|gave up (?:after|waiting)|nach \d+ ?(?:ms|s|sek\w*|min\w*) (?:abgebrochen|beendet|aufgegeben)|(?:aborted|killed|canceled|cancelled|stopped|terminated) after \d|exceeded .{0,30}\d ?(?:ms|s|sec\w*|min\w*)\b|maximum (?:execution )?time|too slow/i,
  },
  {
    name: 'connection_refused',
    says: 'The host refused the connection.',
    codes: ['connection_failed', 'unreachable', 'connection_refused'],
    of_programs: new Map([
      ['curl', 7],
      ['wget', 4],
    ]),
    often_follows: true,
    text: /ECONNREFUSED|connection refused|failed to connect to|couldn't connect|could not connect|verbindungsaufbau abgelehnt|verbindung .{0,40}(?:verweigert|abgelehnt|fehlgeschlagen)|failed to establish a new connection|ConnectionRefusedError|curl: \(7\)|\[Errno 111\]|actively refused|keine verbindung (?:zu|zum|zur|mit)|nicht erreichbar|lehnt .{0,40}verbindung ab|verbindung .{0,60}nicht möglich|unable to connect to/i,
  },
  {
    name: 'unknown_host',
    says: 'The name of the host could not be resolved.',
    codes: ['host_not_found'],
    of_programs: new Map([['curl', 6]]),
    text: /\bENOTFOUND\b|EAI_AGAIN|getaddrinfo|could not resolve (?:host|proxy)|name or service not known|temporary failure in name resolution|name oder .{0,20}dienst .{0,20}nicht bekannt|curl: \(6\)/i,
  },
  {
    name: 'connection_lost',
    says: 'The connection was interrupted.',
    codes: ['disconnected'],
    text: /\bECONNRESET\b|\bEPIPE\b|socket hang up|connection (?:was )?reset|broken pipe|remote end hung up|RemoteDisconnected|curl: \((?:52|56)\)/i,
  },
  {
    name: 'certificate',
    says: 'The certificate of the host was not accepted.',
    codes: ['tls_failed'],
    text: /certificate (?:verify failed|has expired|problem)|self[- ]signed certificate|\bCERT_\w+|UNABLE_TO_VERIFY|SSL: CERTIFICATE|ERR_TLS/i,
  },
  {
    name: 'not_cached',
    says: 'The package is not on this device, and the program may not download it.',
    often_follows: true,
    text: /ENOTCACHED|only-if-cached|\boffline mode\b|offline-modus|not available offline/i,
  },
  {
    name: 'not_published',
    says: 'The package or version does not exist in the registry.',
    text: /\bE404\b|no matching (?:distribution|version)|ETARGET|could not find a version that satisfies|kein passendes paket/i,
  },
  {
    name: 'not_on_server',
    says: 'The server does not have what was requested.',
    text: /returned error: 404|\b404\b.{0,20}not found|HTTPError: (?:HTTP Error )?404|(?:error|fehler) 404:/i,
  },
  {
    name: 'server_error',
    says: 'The server reported an error of its own.',
    codes: ['http_status'],
    of_programs: new Map([
      ['curl', 22],
      ['wget', 8],
    ]),
    text: /returned error: 5\d\d|HTTP Error 5\d\d|\bE5\d\d\b|(?:error|fehler) 5\d\d:|\b50[0234]\b.{0,30}(?:error|unavailable|gateway)/i,
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
    slip: true,
    text: /did not match any file\(s\)|invalid object name|ungültiger objektname|unknown (?:branch|tag|commit)|unbekannte[rs]? (?:branch|tag)|not something we can merge|no such (?:branch|tag|ref)|unknown revision|bad revision|couldn't find remote ref|invalid reference|not a valid object name|stimmt mit keinen .{0,40}bekannt|unbekannter commit|ungültige referenz/i,
  },
  {
    name: 'local_changes',
    says: 'Local changes would be lost.',
    text: /would be overwritten by|please commit your changes or stash|würden (?:durch|von|beim)? ?.{0,60}überschrieben/i,
  },
  {
    name: 'push_rejected',
    summary: true,
    says: 'The remote repository has commits that are missing here.',
    text: /\[(?:remote )?rejected\]|non-fast-forward|failed to push some refs|\[zurückgewiesen\]|versenden einiger referenzen/i,
  },
  {
    name: 'missing_script',
    says: 'The project does not define the script.',
    slip: true,
    text: /missing script|no rule to make target|keine regel, um|unknown (?:target|goal|task|script)|unbekannte[sr]? (?:ziel|aufgabe|skript)|no such task/i,
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
    text: /AssertionError|ERR_ASSERTION|strictly (?:deep-)?equal|assertion (?:failed|violated)|^E {3}assert|expected .{0,80}(?:but|to (?:be|equal)|got)|erwartet.{0,80}(?:erhalten|bekommen|aber|war|ist)|zusicherung|failed example|(?:wrong|incorrect) (?:value|result|total)|falsche[rs]? (?:wert|ergebnis)|stimmt nicht|instead of \d|AssertionFailed|ComparisonFailure|but was|failed asserting|failure\/error|assertion .{0,200}(?:failed|nicht erfüllt)|panicked at|^#?\s*(?:got|actual|received|result was|erhalten): |should (?:be|have been|equal) |sollte .{0,80}sein|(?:unexpected|wrong|unerwartete[rs]?) (?:value|result|output|total|wert|ergebnis)|differs? from (?:the )?expected|weicht .{0,60} ab\b/i,
  },
  {
    name: 'failed_test',
    says: 'A test failed.',
    summary: true,
    text: /^\s*not ok |^FAILED?\b(?! to\b)|# fail [1-9]|\bfailures=\d|(?<!port )\b\d{1,3} (?:tests? )?(?:failed|failing)|^✖ |^✗ |tests? (?:did )?fail|test\w* .{0,60}(?:fehlgeschlagen|gescheitert)|^--- FAIL|test result: failed|^result: fail|failed \d+\/\d+|tests? run: .{0,40}failures: [1-9]|failures?: [1-9]|tests? FAILED|(?-i:\bFAILED\b)|tests failed out of|\d+ (?:von|of) \d+ .{0,40}(?:failed|fehlgeschlagen)|(?:failed|fehlgeschlagen|gescheitert)\W{1,3}\d+|^#?\s*failed test/i,
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
    text: /\bENOENT\b|no such file|FileNotFoundError|datei oder verzeichnis nicht gefunden|couldn't open file|does not exist|existiert nicht|\[Errno 2\]|did not match any files|stimmt mit keinen dateien überein|cannot find or open|not found in the archive|not a directory|ist kein verzeichnis/i,
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

/** Before the first use, in slices. */
export function compileConditions(): SlicedWork<void> {
  const facts = factRows.flatMap(({ things, states, alone, except }) => [things, states, alone, except])
  return compileExpressions([...conditions.map(({ text }) => text), ...facts].filter((one) => one !== undefined))
}

/** From the failure contract if it has one, otherwise from how the command ended and what it printed. */
export function conditionOf({ reason_code, exit_code, timed_out, signal, program, lines, more }: ConditionFacts): string | null {
  if (reason_code !== null && !vagueCodes.has(reason_code)) return byCode.get(reason_code)?.name ?? null
  if (timed_out || signal === 'SIGALRM' || signal === 'SIGXCPU') return 'timed_out'
  const said = saidIn(lines)
  if (said && !isVague(said)) return said.name
  const further = more ? saidIn(more()) : null
  if (further && !isVague(further)) return further.name
  const vague = factIn(lines) ?? said?.name ?? further?.name
  if (vague) return vague
  const ended = conditions.find(
    ({ exit_codes, of_programs }) =>
      exit_code !== null && (exit_codes?.includes(exit_code) || (program !== null && of_programs?.get(program) === exit_code)),
  )
  return ended?.name ?? (more ? factIn(more()) : null)
}

/** What is not there is rarely the reason if the same output has another one. */
const absent: ReadonlySet<string> = new Set(['missing_file', 'missing_command'])
const isVague = ({ name, summary, certain }: ConditionRow) => summary === true || (absent.has(name) && certain !== true)
/** If one output has both, the archive is damaged because it did not arrive. */
const notArrived: readonly ConditionRow[] = conditions.filter(({ name }) =>
  ['timed_out', 'connection_refused', 'unknown_host'].includes(name),
)

function saidIn(lines: readonly string[]): ConditionRow | null {
  const isSaid = ({ text }: ConditionRow) => text !== undefined && lines.some((line) => text.test(line))
  const said = conditions.find((row) => !isVague(row) && isSaid(row)) ?? conditions.find(isSaid) ?? null
  return said?.name === 'damaged_archive' ? (notArrived.find(isSaid) ?? said) : said
}

export function isSlip(name: string | null): boolean {
  return name !== null && byName.get(name)?.slip === true
}

export function isKnownCode(reason_code: string): boolean {
  return byCode.has(reason_code)
}

export function conditionText(name: string): string {
  return byName.get(name)?.says ?? ''
}

export function oftenFollows(name: string | null): boolean {
  return name !== null && byName.get(name)?.often_follows === true
}
