// Memories of one subject that say nearly the same, by their words. Pure.
import type { Memory } from '@tandem/contract/memory'
import { statementWords } from './resolve/same.ts'

export interface SimilarPair {
  readonly left: string
  readonly right: string
  /** The share of their words that both have, from 0 to 1. */
  readonly score: number
}

/** Below it, pairs are not returned. */
const lowest = 0.5
/** Words in more memories than this say little, and comparing all of them would take too long. */
const mostShared = 200

/** The pairs of which at least one is in `among`: two memories that were there before were compared then. */
export function similarPairs(memories: readonly Pick<Memory, 'id' | 'content'>[], among: ReadonlySet<string>): readonly SimilarPair[] {
  const words = memories.map(({ content }) => new Set(statementWords(content)))
  const compared = memories.map(({ id }) => among.has(id))
  /** Where the words of the compared ones occur. */
  const places = new Map<string, number[]>()
  for (const [index, set] of words.entries()) if (compared[index]) for (const word of set) places.set(word, [])
  for (const [index, set] of words.entries()) for (const word of set) places.get(word)?.push(index)
  const pairs: SimilarPair[] = []
  for (const [index, set] of words.entries()) {
    if (!compared[index]) continue
    const shared = new Map<number, number>()
    for (const word of set) {
      const list = places.get(word) ?? []
      if (list.length > mostShared) continue
      for (const other of list) if (other > index || (other < index && !compared[other])) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    for (const [other, count] of shared) {
      const [left, right] = [memories[index], memories[other]]
      const score = count / (set.size + (words[other]?.size ?? 0) - count)
      if (left && right && score >= lowest) pairs.push({ left: left.id, right: right.id, score })
    }
  }
  return pairs
}
