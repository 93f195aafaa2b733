// Where words occur in a message, regardless of case, punctuation and line breaks. Positions are stored, so what is computed here must not
// change. Pure.

/** In the normal form of the message. */
export interface Span {
  readonly start: number
  readonly length: number
}

/** All places; none if the words are not there as whole words. */
export function spansOf(words: string, text: string): readonly Span[] {
  const [wanted, there] = [normal(words), normal(text)]
  const spans: Span[] = []
  if (wanted.trim() === '') return spans
  for (let start = there.indexOf(wanted); start >= 0; start = there.indexOf(wanted, start + 1)) spans.push({ start, length: wanted.length })
  return spans
}

export function wholeOf(text: string): Span {
  return { start: 0, length: normal(text).length }
}

/** Whether they have a word in common: the space between two words belongs to both. */
export function overlap(one: Span, other: Span): boolean {
  return Math.min(one.start + one.length, other.start + other.length) - Math.max(one.start, other.start) > 1
}

/** With a space before and after each word. */
function normal(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s\p{P}]+/u)
    .filter((word) => word !== '')
  return ` ${words.join(' ')} `
}
