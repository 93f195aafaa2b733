// What the user's decisions say about each memory. Pure.
import type { MemoryDecision } from '@tandem/contract/memory'

/** The last decision that names a memory. Everything created until `until` was known when the user decided. */
export interface Verdict {
  readonly isKept: boolean
  readonly keptId: string
  readonly until: string
}

export function verdictsOf(decisions: readonly MemoryDecision[]): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  const inOrder = decisions.toSorted((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
  for (const decision of inOrder) {
    // `~` is greater than every character of an id, so a memory of the same millisecond counts as known.
    const verdict = { keptId: decision.kept_memory_id, until: `${decision.created_at} ~ ${decision.id}` }
    for (const id of decision.over_memory_ids) verdicts.set(id, { ...verdict, isKept: false })
    verdicts.set(decision.kept_memory_id, { ...verdict, isKept: true })
  }
  return verdicts
}

const orderOf = ({ created_at, id }: MemoryDecision): string => `${created_at} ${id}`
