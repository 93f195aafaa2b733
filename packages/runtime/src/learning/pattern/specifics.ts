// The things that a text names: files, modules, hosts, ports, versions. Two texts that name the same thing are about the same thing. Pure.

/** Of a longer text, this much is read at its beginning and at its end. */
const readAtEachEnd = 2_000
const mostSpecifics = 200
const longestSpecific = 120

/** Lines of a stack and of a log say where a program was, not what it is about. */
const frame = /^(?:\s+at |\s*File "|.*node:internal|Node\.js v|.*\bdebug-\d+\.log\b).*$/gm
const quoted = /['"`‘’„“”‚»«]([^'"`‘’„“”‚»«\s]{2,120})['"`‘’„“”‚»«]/g
const address = /\bhttps?:\/\/([^/\s'"]+)([^\s'"]*)/g
const mark = /[\d._@\\/:-]/
const word = /[\p{L}\p{N}_~@./\\:+-]+/gu

/** Names with a sign of being one: quotes, an extension, a folder, a digit or a word that is joined to another. */
export function specificsIn(text: string): ReadonlySet<string> {
  const read = text.length <= 2 * readAtEachEnd ? text : `${text.slice(0, readAtEachEnd)}\n${text.slice(-readAtEachEnd)}`
  const told = read.replaceAll(frame, '')
  const found = new Set<string>()
  for (const [, name = ''] of told.matchAll(quoted)) addNames(found, name, true)
  for (const [, host = '', path = ''] of told.matchAll(address)) {
    addNames(found, host, true)
    addNames(found, path, false)
  }
  for (const [name] of told.replaceAll(address, ' ').matchAll(word)) if (mark.test(name)) addNames(found, name, false)
  return found
}

/** Of a command: also its plain words, which are names of things that it is for. */
export function specificsOfWords(words: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const one of words) {
    if (one.startsWith('-') && !one.includes('=')) continue
    for (const part of one.split(/[=,\s'"()]+/)) addNames(found, part, true)
  }
  return found
}

function addNames(found: Set<string>, text: string, isName: boolean): void {
  if (found.size >= mostSpecifics || text.length > longestSpecific) return
  // A line and a column are left out: two texts about one file name different ones.
  const parts = text.split(/[\\/:]+/).filter((part) => !smallNumber.test(part))
  for (const part of parts.slice(-mostFolders)) {
    const name = part.replace(/^[.~+-]+|[.+-]+$/g, '')
    if (name.length < 3 || anywhere.has(name)) continue
    if (isNumber.test(name) ? name.length <= 5 : isName || isMarked(name)) found.add(name.toLowerCase())
  }
}

const smallNumber = /^\d{0,3}$/
const isNumber = /^\d+$/
/** At the end of a path. */
const mostFolders = 3

/** They name this device, or nothing. */
const anywhere: ReadonlySet<string> = new Set([
  'http',
  'https',
  'localhost',
  '127.0.0.1',
  '0.0.0.0',
  'null',
  'true',
  'false',
  'stdin',
  'stdout',
  'stderr',
])

/** A dot, an underline or a digit within it; measures and times are none. */
function isMarked(name: string): boolean {
  if (/^\d+(?:[.,:-]\d+)*\p{L}{0,3}$/u.test(name)) return false
  return /[\p{L}\p{N}][._@-][\p{L}\p{N}]|\p{L}\d|\d\p{L}/u.test(name)
}
