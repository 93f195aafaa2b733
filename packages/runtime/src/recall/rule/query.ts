// What a query asks for: its words without those that say nothing in this index, the speakers it names, and the parts that only a
// comparison of characters can find. Pure.

/** A word of the query as the index knows it, and in how many texts it occurs. */
export interface QueryWord {
  readonly term: string
  readonly texts: number
}

/** The words of a query that are worth their time, the rarest first. */
export interface TellingWords<Word> {
  /** A text must have one of them to be found. */
  readonly finding: readonly Word[]
  /** They only order the texts that were found. */
  readonly ordering: readonly Word[]
}

/** A word in more than this share of the texts tells them apart too little to be worth its time. */
const commonShare = 0.2
/** In a small index every word is looked up: that takes no time. */
const smallIndex = 50
/** The rarest words find texts, as many as occur in so many texts together; one in any case. */
const [mostTexts, leastWords] = [1_000, 1]
/** Further words order what was found, until there are so many words in all. */
const enoughWords = 16

/** When all words are common, one is better than none. */
export function telling<Word extends QueryWord>(words: readonly Word[], total: number): TellingWords<Word> {
  const known = words.filter(({ texts }) => texts > 0).sort((left, right) => left.texts - right.texts || (left.term < right.term ? -1 : 1))
  if (total <= smallIndex) return { finding: known, ordering: [] }
  const rare = known.filter(({ texts }, index) => index < leastWords || texts <= total * commonShare)
  let sum = 0
  const finding = rare.filter(({ texts }, index) => {
    sum += texts
    return index < leastWords || sum <= mostTexts
  })
  return { finding, ordering: rare.slice(finding.length, Math.max(finding.length, enoughWords)) }
}

/** How much a word says: as in BM25. */
export function weightOf({ texts }: QueryWord, total: number): number {
  return Math.max(1e-6, Math.log((total - texts + 0.5) / (texts + 0.5) + 1))
}

/** The speakers whose names occur in the query as whole words. */
export function namedSpeakers(query: string, speakers: readonly string[]): ReadonlySet<string> {
  const words = ` ${flat(query)} `
  return new Set(speakers.filter((speaker) => flat(speaker) !== '' && words.includes(` ${flat(speaker)} `)))
}

function flat(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

/** Writing systems that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
/** Names of files, functions, settings, versions and dates: signs or capitals inside a word. */
const codeLike = /[\p{L}\p{N}_$@#~.:/\\-]*(?:[_/\\@#$]|\p{Ll}\p{Lu}|\p{L}[.:]\p{L}|\p{N}[.:-]\p{N})[\p{L}\p{N}_$@#~.:/\\-]*/gu

const longestName = 300

const betweenWords = /[^\p{L}\p{N}_$@#~.:/\\-]+/u
const inCode = /[_/\\@#$]|\p{Ll}\p{Lu}|\p{L}[.:]\p{L}|\p{N}[.:-]\p{N}/u
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The words of a text that can contain one of the parts that a query is also looked for by: other words are not indexed by characters. */
export function characterWords(text: string): string {
  return text
    .split(betweenWords)
    .filter((word) => inCode.test(word) || isUnspaced.test(word))
    .join(' ')
}

/** The parts to find by their characters, each at least three long; a shorter part of an unspaced script is in `short`. */
export function characterParts(query: string): { readonly parts: readonly string[]; readonly short: readonly string[] } {
  const runs = query.match(unspaced) ?? []
  // Each word by itself, and no word that is longer than any name: the pattern takes quadratic time.
  const words = query.split(betweenWords).filter((word) => word.length <= longestName)
  const code = words
    .flatMap((word) => word.match(codeLike) ?? [])
    .map((part) => part.replace(/^[.:-]+|[.:-]+$/g, ''))
    .filter((part) => part.length >= 3)
  const long = runs.filter((run) => [...run].length >= 3).flatMap((run) => pieces([...run]))
  const short = runs.filter((run) => [...run].length < 3)
  return { parts: [...new Set([...code, ...long])].slice(0, 24), short: [...new Set(short)].slice(0, 8) }
}

/** A sentence without spaces is found by its pieces: the words in it are not known. */
function pieces(letters: readonly string[]): string[] {
  return Array.from({ length: letters.length - 2 }, (_, index) => letters.slice(index, index + 3).join(''))
}
