// Which words of a statement to look for, so that every statement that is similar to it is found. Pure.
import { stems } from '../resolve/revoke.ts'
import { statementWords } from '../resolve/same.ts'
import { slotThreshold } from '../resolve/slot-assignment.ts'

/**
 * The rarest words of which a similar statement must have at least one. Null if that would need a word that carries no meaning: such
 * statements are similar to none.
 */
export function rarestWords(content: string, countOf: (stem: string) => number): readonly string[] | null {
  const words = [...new Set(statementWords(content))]
  const needed = words.length - Math.ceil(slotThreshold * words.length) + 1
  const rarest = words
    .flatMap((word) => {
      const [first] = [...stems(word)].map((stem) => ({ stem, count: countOf(stem) })).toSorted((left, right) => left.count - right.count)
      return first ? [first] : []
    })
    .toSorted((left, right) => left.count - right.count)
    .slice(0, needed)
  return rarest.length < needed ? null : rarest.map(({ stem }) => stem)
}

/** The share of their words that both have, from 0 to 1. */
export function similarity(left: string, right: string): number {
  const [one, other] = [new Set(statementWords(left)), new Set(statementWords(right))]
  const shared = one.intersection(other).size
  return shared === 0 ? 0 : shared / (one.size + other.size - shared)
}
