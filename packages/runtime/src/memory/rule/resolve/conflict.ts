// Memories that contradict each other and that only the user can decide between. Pure.
import type { Memory } from '@tandem/contract/memory'
import { rankOf } from './rank.ts'
import { isAlive, momentOf, type Standing } from './standing.ts'

export type ConflictPair = readonly [string, string]

/** The limit of the contract for `conflicts_with`. */
const mostConflicts = 100

/**
 * By id, what each memory is in conflict with. Of one slot, everything still active is: the newer ones rank lower, or the older would have
 * given way. `found` are pairs from links and revoking words; a pair recorded earlier stays while both are active.
 */
export function conflictsAmong(
  standings: ReadonlyMap<string, Standing>,
  slots: Iterable<readonly Standing[]>,
  found: readonly ConflictPair[],
): ReadonlyMap<string, readonly string[]> {
  const conflicts = new Map<string, Set<string>>()
  const add = (left: Standing | undefined, right: Standing | undefined) => {
    if (!left || !right || !isAlive(left) || !isAlive(right)) return
    const [ofLeft, ofRight] = [left, right].map(({ memory: { id } }) => conflicts.get(id) ?? new Set<string>())
    if (!ofLeft || !ofRight || ofLeft.size >= mostConflicts || ofRight.size >= mostConflicts) return
    conflicts.set(left.memory.id, ofLeft.add(right.memory.id))
    conflicts.set(right.memory.id, ofRight.add(left.memory.id))
  }
  for (const slot of slots) {
    const alive = slot.filter(isAlive)
    for (const [index, one] of alive.entries()) for (const other of alive.slice(index + 1)) add(one, other)
  }
  for (const [left, right] of found) add(standings.get(left), standings.get(right))
  for (const one of standings.values()) for (const id of one.memory.conflicts_with) add(one, standings.get(id))
  return new Map([...conflicts].map(([id, others]) => [id, [...others].sort()]))
}

/** Whether a memory may be recalled: of memories in conflict only the one that ranks highest may, until the user decides. */
export function isRecallable(memory: Memory, all: readonly Memory[]): boolean {
  if (memory.state !== 'active' || rankOf(memory) === 0) return false
  if (memory.conflicts_with.length === 0) return true
  const opponents = new Set(memory.conflicts_with)
  return !all.some((other) => opponents.has(other.id) && other.state === 'active' && isAbove(other, memory))
}

function isAbove(left: Memory, right: Memory): boolean {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)]
  return leftRank === rightRank ? momentOf(left) > momentOf(right) : leftRank > rightRank
}
