// Words of a text as it is written, each with the term that the index has for it.

export interface WrittenWord {
  readonly written: string
  readonly term: string
  readonly at: number
}

/** What the tokenizer of the index takes for a word. */
const wordPattern = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu

/** So many words are remembered with their terms; longer ones than this are not. */
const [mostKnown, longestKnown] = [20_000, 40]

export function countWords(text: string): number {
  return text.match(wordPattern)?.length ?? 0
}

/** The tokenizer of the index itself decides what the term of a word is. Using it costs three statements, so it is asked once for all texts. */
export class Words {
  readonly #termsOf: (words: readonly string[]) => readonly string[]
  readonly #known = new Map<string, string>()

  /** `termsOf`: the term of each word; empty for one that the index does not have as a word. */
  constructor(termsOf: (words: readonly string[]) => readonly string[]) {
    this.#termsOf = termsOf
  }

  of(texts: readonly string[]): readonly (readonly WrittenWord[])[] {
    const found = texts.map((text) => [...text.matchAll(wordPattern)])
    const terms = this.#terms(new Set(found.flatMap((words) => words.map(([word]) => word))))
    return found.map((words) => words.map(({ 0: written, index: at }) => ({ written, term: terms.get(written) ?? '', at })))
  }

  #terms(words: ReadonlySet<string>): ReadonlyMap<string, string> {
    const unknown = [...words].filter((word) => !this.#known.has(word))
    const made = unknown.length === 0 ? [] : this.#termsOf(unknown)
    const terms = new Map(unknown.map((word, index) => [word, made[index] ?? '']))
    for (const word of words) if (!terms.has(word)) terms.set(word, this.#known.get(word) ?? '')
    if (this.#known.size + unknown.length > mostKnown) this.#known.clear()
    for (const word of unknown.slice(0, mostKnown)) if (word.length <= longestKnown) this.#known.set(word, terms.get(word) ?? '')
    return terms
  }
}
