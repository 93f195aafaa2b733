// Where words occur in a message, regardless of case, punctuation and line breaks. Positions are stored, so what is computed here must not
// change. Pure.

/** In the normal form of the message. */
export interface Span {
  readonly start: number
  readonly length: number
}

/** All places; none if the words are not there as whole words. */
export function spansOf(words: string, text: string): readonly Span[] {
  return spansIn(normalText(text), normalText(words))
}

/** Both in the normal form. */
export function spansIn(there: NormalText, wanted: NormalText): readonly Span[] {
  const spans: Span[] = []
  if (wanted.trim() === '') return spans
  for (let start = there.indexOf(wanted); start >= 0; start = there.indexOf(wanted, start + 1)) spans.push({ start, length: wanted.length })
  return spans
}

export function wholeOf(text: string): Span {
  return { start: 0, length: normalText(text).length }
}

/** Whether they have a word in common: the space between two words belongs to both. */
export function overlap(one: Span, other: Span): boolean {
  return Math.min(one.start + one.length, other.start + other.length) - Math.max(one.start, other.start) > 1
}

declare const isNormal: unique symbol
/** Lower case, with a space before and after each word, and without punctuation. */
export type NormalText = string & { readonly [isNormal]: true }

export function normalText(text: string): NormalText {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '')
  return ` ${words.join(' ')} ` as NormalText
}
