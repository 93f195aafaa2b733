// How names are compared. Pure.

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'professor', 'sir', 'madam'])
const articles = new Set(['the', 'a', 'an', 'our', 'my', 'your', 'his', 'her', 'their', 'this', 'that'])
/** Words inside a name that are no name of their own. */
const particles = new Set(['da', 'de', 'do', 'dos', 'das', 'di', 'del', 'della', 'van', 'von', 'der', 'den', 'la', 'le', 'el', 'bin', 'of'])

/** A longer name is a title or a phrase, not the name of a person. */
const mostNameWords = 6

/** The names of a graph are compared again for every view; remembering them makes a view faster by a third. */
const folded = new Map<string, string>()
const mostFolded = 50_000

/** A name without case, accents, punctuation, titles, articles and possessive. Two names that fold to the same text are the same name. */
export function foldName(name: string): string {
  const known = folded.get(name)
  if (known !== undefined) return known
  if (folded.size >= mostFolded) folded.clear()
  const result = foldedName(name)
  folded.set(name, result)
  return result
}

function foldedName(name: string): string {
  const plain = /^[ -~]*$/.test(name) ? name : name.normalize('NFKD').replace(/\p{M}+/gu, '')
  const lower = plain.toLowerCase().replace(/['’]s(?![\p{L}\p{N}])/gu, '')
  const words = lower.match(/[\p{L}\p{N}]+(?:[@_+#/.:-]+[\p{L}\p{N}]+)*/gu)
  if (!words) return lower.trim()
  let from = 0
  while (from < words.length - 1 && (titles.has(words[from] ?? '') || articles.has(words[from] ?? ''))) from += 1
  return words.slice(from).join(' ')
}

export function nameWords(folded: string): readonly string[] {
  return folded.split(' ')
}

/** Whether a person's full name can be shortened to `short`: a first name, a surname, or initials for some of its words. Both are folded. */
export function isShortFor(short: string, full: string): boolean {
  if (!short.includes(' ')) return short.length > 1 && !particles.has(short) && full.includes(' ') && ` ${full} `.includes(` ${short} `)
  const [count, most] = [wordCount(short), wordCount(full)]
  // Most pairs end here: without an initial, a short form has fewer words.
  if (short === full || most > mostNameWords || count > most || (count === most && !/(?:^| ).(?: |$)/u.test(short))) return false
  const [parts, whole] = [nameWords(short), nameWords(full)]
  if (!parts.some((part) => part.length > 1 && !particles.has(part))) return false
  let at = 0
  for (const part of parts) {
    while (at < whole.length && !matches(part, whole[at] ?? '')) at += 1
    if (at === whole.length) return false
    at += 1
  }
  return true
}

function wordCount(folded: string): number {
  let count = 1
  for (let at = folded.indexOf(' '); at !== -1; at = folded.indexOf(' ', at + 1)) count += 1
  return count
}

function matches(part: string, word: string): boolean {
  return part === word || (part.length === 1 && word.startsWith(part))
}

/** Keys under which a full name is found by `shortKey` of each of its short forms. */
export function fullKeys(full: string): readonly string[] {
  const words = nameWords(full)
  if (words.length < 2 || words.length > mostNameWords) return []
  const keys = words.filter((word) => word.length > 1)
  for (const [index, first] of words.entries()) {
    for (const second of words.slice(index + 1)) keys.push(`${first} ${second.charAt(0)}`, `${first.charAt(0)} ${second}`)
  }
  return [...new Set(keys)]
}

export function shortKey(short: string): string {
  const [first = '', second] = nameWords(short)
  if (second === undefined) return first
  return first.length > 1 ? `${first} ${second.charAt(0)}` : `${first} ${second}`
}
