export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The sentences of a memory. A dot inside a name, a number or a path ends none. */
export function sentencesOf(content: string): readonly Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  for (const { 0: sign, index } of content.matchAll(
    /(?<!\b\p{Lu}|\b(?:Mr|Mrs|Ms|Dr|Prof|St|e\.g|i\.e|etc|a\.k\.a))[.!?;]+(?=\s|$)|\n+/gu,
  )) {
    const end = index + sign.length
    sentences.push({ text: content.slice(start, end), start, end })
    start = end
  }
  if (start < content.length) sentences.push({ text: content.slice(start), start, end: content.length })
  return sentences.filter(({ text }) => text.trim() !== '')
}
