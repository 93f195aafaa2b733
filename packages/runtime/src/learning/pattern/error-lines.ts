// The lines of an output that say what went wrong, chosen by rules. Pure, and bounded for any output.

/** Of a longer output, this much is read at its beginning and at its end. */
const readAtEachEnd = 64_000
const longestLine = 500
const mostLines = 6
const lastLines = 3

interface LineRule {
  readonly name: string
  /** Which of the lines that match: a later exception is raised by an earlier one, but other programs report the cause first. */
  readonly takes: 'first' | 'last'
  readonly pattern: RegExp
}

/** The most telling first. */
export const lineRules: readonly LineRule[] = [
  { name: 'conflict', takes: 'first', pattern: /^(?:CONFLICT|KONFLIKT) \(|<{7}(?:\W|$)/ },
  {
    name: 'exception',
    takes: 'last',
    pattern:
      /^(?:Exception in thread "[^"]*" |Caused by: |Uncaught )?(?:\w+\.)*(?:[A-Z]\w*)?(?:Error|Exception|Interrupt|Exit|ExceptionGroup|TimeoutExpired|ReadError)(?: \[\w+\])?(?::|$)/,
  },
  { name: 'code', takes: 'first', pattern: /^\s*(?:npm (?:ERR!|error) code |(?:code|errno): ')/ },
  { name: 'shell', takes: 'first', pattern: /^(?:\S*\/)?(?:ba|z|da|k)?sh: / },
  {
    name: 'error',
    takes: 'first',
    pattern:
      /^\s*(?:[\w.@/-]+: ){0,3}\[?(?:error|fatal|fehler|schwerwiegend|schwerer fehler|abort(?:ed)?|abbruch|panic|critical)\]?(?:\[\w+\])?(?: [A-Z]{1,3}\d{3,5})?:/i,
  },
  { name: 'failed_test', takes: 'first', pattern: /^\s*(?:not ok |✖ |✗ |FAIL(?:ED)?[: ]|E {3}|AssertionError|# fail [1-9]|\d+ failing)/ },
  {
    name: 'system_error',
    takes: 'first',
    pattern:
      /\bE(?:ACCES|PERM|NOENT|EXIST|ADDRINUSE|CONNREFUSED|CONNRESET|NOTFOUND|AI_AGAIN|TIMEDOUT|NOSPC|DQUOT|ROFS|MFILE|PIPE|RESOLVE|NOTDIR|ISDIR|NOTEMPTY|INTEGRITY|USAGE|LIFECYCLE)\b|\[Errno -?\d+\]/,
  },
  { name: 'curl', takes: 'first', pattern: /^curl: \(\d+\)/ },
  {
    name: 'program',
    takes: 'first',
    pattern:
      /^(?:tar|gzip|unzip|cp|mv|rm|mkdir|cat|ls|touch|install|chmod|chown|ln|dd|make|rsync|scp|ssh|wget|zip|xz|sed|awk|find|grep|sort|diff|patch)(?:\[\d+\])?: /,
  },
  { name: 'npm', takes: 'first', pattern: /^npm (?:ERR!|error) (?!A complete log|\s*$)/ },
  {
    name: 'words',
    takes: 'first',
    pattern:
      /\b(?:error|failed|failure|cannot|can't|could not|couldn't|unable to|not found|no such|denied|refused|timed out|invalid|unexpected|missing|no matching|already in use|fehler|fehlgeschlagen|gescheitert|kann nicht|konnte nicht|nicht möglich|nicht gefunden|kein passendes|keine? \S+ gefunden|verweigert|abgelehnt|abgebrochen|zeitüberschreitung|ungültig\w*|unerwartet\w*|fehlt|fehlend\w*|bereits belegt|bereits verwendet)\b/i,
  },
]

/** The most telling line first, then those of other rules; the last lines if no rule applies. */
export function errorLines(output: string): readonly string[] {
  const lines = linesOf(output)
  const found: string[] = []
  for (const { takes, pattern } of lineRules) {
    const line = takes === 'first' ? lines.find((one) => pattern.test(one)) : lines.findLast((one) => pattern.test(one))
    if (line !== undefined && !found.includes(line.trim())) found.push(line.trim())
    if (found.length === mostLines) break
  }
  return found.length > 0 ? found : lines.slice(-lastLines).map((line) => line.trim())
}

const mostOuterLines = 40
/** A chain of reasons in one line ends with the first of them. */
const longestOuterLine = 2_000

/** The first and the last lines, whatever they say. */
export function outerLines(output: string): readonly string[] {
  const lines = linesOf(output, longestOuterLine)
  const chosen = lines.length <= 2 * mostOuterLines ? lines : [...lines.slice(0, mostOuterLines), ...lines.slice(-mostOuterLines)]
  return chosen.map((line) => line.trim())
}

/** Without blank lines and the keys in them, each cut before the word in which it gets too long. */
function linesOf(output: string, longest = longestLine): readonly string[] {
  const [start, end] =
    output.length <= 2 * readAtEachEnd ? [output, ''] : [output.slice(0, readAtEachEnd), output.slice(output.length - readAtEachEnd)]
  return withoutKeys(`${start}\n${end}`)
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => cut(line.trimEnd(), longest))
}

function cut(line: string, longest: number): string {
  if (line.length <= longest) return line
  const end = line.slice(0, longest).search(/\s\S*$/)
  return end <= 0 ? '…' : line.slice(0, end)
}

/** A private key has many lines, none of which says what it is. */
function withoutKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text
  let inKey = false
  return text
    .split('\n')
    .filter((line) => {
      if (line.includes('-----BEGIN ') && line.includes('PRIVATE KEY')) inKey = true
      const keep = !inKey
      if (line.includes('-----END ')) inKey = false
      return keep
    })
    .join('\n')
}
