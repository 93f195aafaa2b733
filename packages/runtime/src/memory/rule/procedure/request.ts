// Whether two requests ask for the same kind of thing, by their words. Pure.
import { stopWords } from '../extract/words.ts'

/** The share of their words that both have. */
const sameShare = 0.5
const longestRequest = 2_000

/** By their first five letters, so that "update" and "updates" are one. Names of files and numbers change from one request to the next. */
export function requestWords(text: string): ReadonlySet<string> {
  const words = text.slice(0, longestRequest).toLowerCase().normalize('NFKC').split(/\s+/u)
  return new Set(
    words
      .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
      .filter((word) => /^[\p{L}'’-]{2,}$/u.test(word) && !stopWords.has(word))
      .map((word) => word.slice(0, 5)),
  )
}

export function isSameRequest(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const shared = [...left].filter((word) => right.has(word)).length
  return shared > 0 && 2 * shared >= (left.size + right.size) * sameShare
}
