// Which memory a statement replaces by what both mean. Words of change alone would end too much, and so would meaning alone: what is said twice
// means the same as well. Pure.
import type { Memory } from '@tandem/contract/memory'
import type { SlicedWork } from '../../../scheduler/slices.ts'
import { changes, hintsAtChange, leaves } from './change.ts'
import { peopleOf, topicsOf } from './topics.ts'

/** How alike two texts are, up to 1; null if that is not known. A function of the texts alone. */
export type Likeness = (left: string, right: string) => number | null

/** Decision 0115 has its figures: below it, more of what still holds would be ended than of what does not. */
const leastLikeness = 0.6

/** Below it, words in common are no reason to think that both are about the same thing. */
export const deniedLikeness = 0.45

/** The one that is most alike of those that it shares a topic with. Of equal ones none: the order of memories must not matter. */
export function byMeaning(words: string, existing: readonly Memory[], people: ReadonlySet<string>, likeness: Likeness): Memory | null {
  const topics = topicsOf(words).difference(people)
  const found = existing.flatMap((memory) => {
    if (topicsOf(memory.content).isDisjointFrom(topics)) return []
    const score = likeness(words, memory.content) ?? 0
    return score >= leastLikeness ? [{ memory, score }] : []
  })
  const [best, second] = found.toSorted((left, right) => right.score - left.score)
  return best && best.score !== second?.score ? best.memory : null
}

/** The texts whose likeness will be asked for: those of statements that may change something, and of what they could change. In slices. */
export function* comparedTexts(statements: readonly string[], contents: readonly string[]): SlicedWork<ReadonlySet<string>> {
  const compared = new Set<string>()
  for (const words of statements) {
    if (!changes(words) && !leaves(words) && !hintsAtChange(words)) continue
    const topics = topicsOf(words).difference(peopleOf([], words))
    const near = contents.filter((content) => content !== words && !topicsOf(content).isDisjointFrom(topics))
    if (near.length > 0) for (const text of [words, ...near]) compared.add(text)
    yield
  }
  return compared
}
