// What kind of fact an error states, whichever program words it: a thing, and what is the matter with it. Read if no known text applies. Pure.

interface FactRow {
  /** A row of the table of conditions. */
  readonly condition: string
  readonly things: RegExp
  readonly states: RegExp
  /** What says it without naming a thing. */
  readonly alone?: RegExp
  /** With one of these words, it is another kind of fact. */
  readonly except?: RegExp
}

/** Words of both languages. A line states a fact if it has a thing and a state, or says both at once; the first row that any line states counts. */
export const factRows: readonly FactRow[] = [
  {
    condition: 'merge_conflict',
    things: /\b(?:merg|conflict|konflikt|rebas|cherry-pick|hunk|patch|zusammenf[üu]hr)|<<<|>>>/i,
    states:
      /\b(?:conflict|konflikt|unmerged|unresolved|not merged|both (?:added|modified)|reject|fail|fehlgeschlagen|unaufgel[öo]st|offen|unfinished|in progress|abort|does not apply|nicht anwendbar)|<<<|>>>/i,
    except: /\b(?:connection|verbindung|permission|berechtigung|version|peer|download)/i,
    alone: /\bunmerged\b|\bnicht zusammengef[üu]hrt|\b(?:while|w[äa]hrend|mitten) .{0,30}\bmerg|\bneeds merge\b/i,
  },
  {
    condition: 'port_in_use',
    things: /\b(?:ports?|addr|address|adresse|sockets?|bind(?:ing)?|listen(?:er|ing)?|endpoint|connection in use)\b/i,
    states:
      /\b(?:in use|already|taken|occupied|busy|allocated|reserved|belegt|besetzt|vergeben|verwendet|benutzt|bereits|schon|not (?:available|free)|nicht (?:verf[üu]gbar|frei))\b/i,
    except: /\b(?:in use by|lock|declared|exists|defined)\b/i,
  },
  {
    condition: 'damaged_archive',
    things:
      /\b(?:archiv|zip|gzip|gz|tar|tgz|jar|war|wheel|whl|deb|rpm|7z|rar|xz|bz2|bzip2?|zstd?|lz4|lzma|brotli|zlib|deflate|inflate|compress|komprimier|pack|bundle|backup|dump|image|download|stream|chunk|body|payload|transfer|byte|checksum|crc|central directory|decoder)\w*\b|\.(?:zip|gz|tgz|tar|jar|war|whl|deb|rpm|7z|rar|xz|bz2|zst|lz4|iso|img)\b/i,
    states:
      /\b(?:truncat|prematur|incomplet|corrupt|damaged|malformed|broken|invalid|unexpected(?:ly)? (?:end|eof|close)|early eof|eof\b|ends? (?:too )?(?:early|unexpectedly)|ended before|early end|cut off|too short|shorter than|short read|missing bytes|size mismatch|closed|other side closed|not (?:a|an|in) (?:valid |recognized |\w+ )?(?:archive|zip|gzip|tar|format|package)|can ?not (?:open|read|be (?:opened|read))|unfinished|unvollst[äa]ndig|besch[äa]digt|abgeschnitten|abgebrochen|vorzeitig|unerwartet|ung[üu]ltig|zu kurz|geschlossen|defekt)/i,
    except:
      /\b(?:refused|abgelehnt|denied|verweigert|not found|no such|timed? ?out|json|syntax|token|argument|option|usage|certificate|reference|revision|response|negotiation)\b/i,
    alone:
      /\b(?:unexpected|premature|early) (?:end of (?:file|data|input|stream|archive)|eof)\b|\bended prematurely\b|\b(?:unerwartetes|vorzeitiges|zu fr[üu]hes) (?:datei)?ende\b|\bend header not found\b|\b(?:zlib|gzip|inflate|deflate|lzma|bzip2|zstd|brotli|lz4)\b.{0,30}\berror\b/i,
  },
  {
    condition: 'connection_refused',
    things:
      /\b(?:connect\w*|verbind\w*|host|server|registry|repository|repositor\w*|mirror|index|proxy|remote|upstream|network|netzwerk|artifact|fetch\w*|request|download\w*|tcp|https?:)/i,
    states:
      /\b(?:refused|unreachable|not reachable|no route|offline|down\b|failed to (?:connect|fetch|download|transfer|reach)|(?:cannot|can't|could not|couldn't|unable to) (?:connect|reach|access|fetch|download|transfer|be reached)|error (?:when |while )?(?:performing|sending|making|fetching)|abgelehnt|verweigert|nicht erreichbar|unerreichbar|fehlgeschlagen)/i,
    except: /\b(?:timed? ?out|timeout|deadline|denied|permission|berechtigung|40[134]|already|merge)\b/i,
  },
  {
    condition: 'timed_out',
    things:
      /\b(?:timed?|timer|timeout|deadline|alarm|watchdog|seconds?|sek(?:unden)?|ms|limit|zeit\w*|frist|dauer|wartezeit|execution|response|antwort|waiting)\b/i,
    states:
      /\b(?:exceed\w*|expired|elapsed|over\b|up\b|reached|hit|too long|longer than|too slow|abort\w*|kill\w*|terminat\w*|interrupt\w*|cancel\w*|gave up|giving up|out\b|abgelaufen|[üu]berschritten|zu lang\w*|abgebrochen|beendet|aufgegeben|timeout)\b/i,
    except: /\b(?:memory|speicher|file size|rate|quota|retry|retrying|undefined|total test time|real time)\b/i,
    alone:
      /\btimed? ?out\b|\bin time\b|\btook too long\b|\bzeit[üu]berschreitung\b|\bzeitlimit\b|\binnerhalb (?:der|von|einer) (?:frist|zeit|\d)/i,
  },
  {
    condition: 'permission_denied',
    things:
      /\b(?:permission|access|privilege|right|owner|file|folder|directory|database|path|socket|device|log|datei|verzeichnis|ordner|datenbank|zugriff|recht|berechtigung)\w*\b|\b(?:open|write|create|read|schreib|lesen|[öo]ffnen|anlegen|erstellen)\w*\b/i,
    states:
      /\b(?:denied|not permitted|forbidden|not allowed|not authorized|read-?only|not writ(?:e)?able|not readable|insufficient|(?:cannot|can't|could not|couldn't|unable to|failed to) (?:open|write|create|save|read|remove|delete|rename|lock|update)|verweigert|nicht (?:erlaubt|gestattet|berechtigt|beschreibbar|lesbar|m[öo]glich|ge[öo]ffnet|geschrieben|angelegt|erstellt|gespeichert)|schreibgesch[üu]tzt)\b/i,
    except:
      /\b(?:no such|not found|does not exist|already exists|not exist|nicht gefunden|existiert (?:nicht|bereits)|invalid|json|syntax|connect\w*|archive|propert\w+|undefined|is a directory|not a directory|ist ein verzeichnis)\b/i,
    alone: /\bpermission\b.{0,20}\bdenied\b|\b(?:keine|unzureichende|fehlende) (?:berechtigung|rechte)\b|\bzugriff verweigert\b/i,
  },
  {
    condition: 'missing_dependency',
    things:
      /\b(?:module?s?|packages?|librar(?:y|ies)|dependenc(?:y|ies)|plugins?|extensions?|gems?|crates?|class(?:es)?|headers?|namespaces?|imports?|toolchains?|sdk|runtime|driver|loader|interpreter|compiler|linker|tool|utility|executable|development files|assembly|program|paket|zusatzpaket|bibliothek|abh[äa]ngigkeit|erweiterung|klasse|programm)\b/i,
    states:
      /\b(?:not found|missing|not installed|unavailable|not available|unresolved|undefined|unknown|needs|requires?|required|(?:cannot|can't|could not|couldn't|unable to|failed to) (?:find|locate|resolve|load|import|be found|be resolved|open)|no such|does not exist|install(?:ieren)?|fehlt|fehlend\w*|nicht (?:gefunden|installiert|vorhanden|verf[üu]gbar|finden|laden)|ben[öo]tigt|erforderlich)\b/i,
    except:
      /\b(?:argument|option|command line|file or directory|datei oder|occur|zip|scope|script|target|branch|tag|column|table|variable)\b/i,
    alone:
      /\bno module named\b|\bnot installed\b|\bnicht installiert\b|\bshared librar|\bshared object\b|\bcannot find -l|\S\.h(?:pp|h)?: |\bpip install\b|\bnpm install\b|\bapt(?:-get)? install\b/i,
  },
  {
    condition: 'failed_test',
    things: /\b(?:expect\w*|assert\w*|actual|tests?|spec|specs|example|check\w*|constraint|erwartet\w*|pr[üu]f\w*|zusicherung)\b/i,
    states:
      /\b(?:fail\w*|mismatch\w*|differ\w*|got|received|but|instead|violat\w*|wrong|incorrect|not equal|fehlgeschlagen|weicht|abweich\w*|falsch\w*|statt|verletzt|ungleich)\b|!==?|<>|≠/i,
    except: /\b(?:connect\w*|verbind\w*|permission|timed? ?out)\b/i,
    alone: /\bassert(?:ion)?\b|\bnot ok \d|\bFAILED\b.{0,40}\d|✖|✗/i,
  },
]

/** Names of system errors mean the same in every program. */
const systemErrors: ReadonlyMap<string, string> = new Map([
  ...named('port_in_use', 'EADDRINUSE'),
  ...named('permission_denied', 'EACCES EPERM EROFS'),
  ...named('connection_refused', 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EHOSTDOWN'),
  ...named('timed_out', 'ETIMEDOUT ESOCKETTIMEDOUT ETIME SIGALRM SIGXCPU'),
  ...named('disk_full', 'ENOSPC EDQUOT'),
])

function named(condition: string, names: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, condition] as const)
}

const systemError = /\b(?:E[A-Z]{3,}|SIG[A-Z]{3,})\b/g

export function factIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    for (const [name] of line.matchAll(systemError)) {
      const condition = systemErrors.get(name)
      if (condition) return condition
    }
  }
  const plain = lines.map(inWords)
  const row = factRows.find(({ things, states, alone, except }) =>
    plain.some((line) => !except?.test(line) && (alone?.test(line) || (things.test(line) && states.test(line)))),
  )
  return row?.condition ?? null
}

/** `ModuleNotFoundError` and `ERR_MODULE_NOT_FOUND` say it in words, too. */
export function inWords(line: string): string {
  return line.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replaceAll('_', ' ')
}
