// Words of a text as it is written, each with the term that the index has for it.

export interface WrittenWord {
  readonly written: string
  readonly term: string
  readonly at: number
}

/** What the tokenizer of the index takes for a word. */
const wordPattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu

/** `termsOf` is the tokenizer of the index. It gets all texts at once: each use of it costs three statements. */
export function wordsOf(termsOf: (text: string) => readonly string[], texts: readonly string[]): readonly (readonly WrittenWord[])[] {
  const found = texts.map((text) => [...text.matchAll(wordPattern)])
  const all = termsOf(found.flatMap((words) => words.map(([word]) => word)).join(' '))
  if (all.length === found.reduce((sum, words) => sum + words.length, 0)) {
    let at = 0
    return found.map((words) => words.map((word) => written(word, all[at++] ?? '')))
  }
  // The tokenizer sees other words than the pattern somewhere: only the texts where it does are gone through word by word.
  return found.map((words) => {
    const terms = termsOf(words.map(([word]) => word).join(' '))
    const isAligned = terms.length === words.length
    return words.map((word, index) => written(word, (isAligned ? terms[index] : termsOf(word[0])[0]) ?? ''))
  })
}

function written(match: RegExpExecArray, term: string): WrittenWord {
  return { written: match[0], term, at: match.index }
}
