// The part of a passage that shows why it was found, as it is written. Pure.

export interface MarkedExcerpt {
  /** Where it begins and ends in the text. */
  readonly from: number
  readonly to: number
  /** Where the words that were asked for are, within the excerpt. */
  readonly marks: readonly { readonly from: number; readonly to: number }[]
}

const longest = 320

export function excerptOf(text: string, words: readonly string[]): MarkedExcerpt {
  const found = occurrences(text, words)
  const begin = densest(found, text.length)
  const from = begin === 0 ? 0 : wordStart(text, begin)
  const to = Math.min(text.length, from + longest)
  const end = to === text.length ? to : wordEnd(text, from, to)
  return {
    from,
    to: end,
    marks: found.filter((mark) => mark.from >= from && mark.to <= end).map((mark) => ({ from: mark.from - from, to: mark.to - from })),
  }
}

/** How many lines below the beginning of the text most of the words are; 0 if there are none. */
export function lineOfMarks(text: string, { from, marks }: MarkedExcerpt): number {
  const words = new Map<number, Set<string>>()
  for (const mark of marks) {
    const line = text.slice(0, from + mark.from).split('\n').length - 1
    const found = words.get(line) ?? new Set<string>()
    words.set(line, found.add(text.slice(from + mark.from, from + mark.to).toLowerCase()))
  }
  return [...words].reduce((best, [line, found]) => (found.size > best.count ? { line, count: found.size } : best), { line: 0, count: 0 })
    .line
}

interface Range {
  readonly from: number
  readonly to: number
}

/** In order, without overlaps. */
function occurrences(text: string, words: readonly string[]): readonly Range[] {
  const pieces = [...new Set(words.filter((word) => word !== ''))].sort((left, right) => right.length - left.length)
  if (pieces.length === 0) return []
  const pattern = new RegExp(pieces.map((word) => RegExp.escape(word)).join('|'), 'giu')
  return [...text.matchAll(pattern)]
    .map((match) => ({ from: match.index, to: match.index + match[0].length }))
    .filter(({ from, to }) => isWhole(text, from, to))
}

/** Not in the middle of a longer word, unless its script has no spaces. */
function isWhole(text: string, from: number, to: number): boolean {
  const letter = /[\p{L}\p{N}]/u
  const spaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u
  const cuts = (left: string, right: string) => letter.test(left) && letter.test(right) && spaced.test(left) && spaced.test(right)
  return !cuts(text.slice(from - 1, from), text.slice(from, from + 1)) && !cuts(text.slice(to - 1, to), text.slice(to, to + 1))
}

/** Where the window with the most matches begins; a little before its first match. */
function densest(marks: readonly Range[], length: number): number {
  let [best, most, end] = [0, 0, 0]
  marks.forEach(({ from }, index) => {
    while (end < marks.length && (marks[end]?.to ?? 0) <= from + longest - 60) end += 1
    if (end - index > most) [best, most] = [from, end - index]
  })
  return Math.max(0, Math.min(best - 60, length - longest))
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + 40).search(/\s/)
  return whole(text, space === -1 ? at : at + space + 1)
}

function wordEnd(text: string, from: number, to: number): number {
  const space = text.slice(from, to).search(/\s\S*$/)
  return whole(text, space <= 0 ? to : from + space)
}

/** Never between the two halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
