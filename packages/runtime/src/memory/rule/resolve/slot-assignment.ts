// Which slot each memory fills. Pure.
import type { Memory } from '@tandem/contract/memory'
import { slotNamed, slotOf } from './slots.ts'

export interface SimilarPair {
  readonly left: string
  readonly right: string
  /** 0…1 */
  readonly score: number
}

export interface AssignedSlot {
  readonly key: string | null
  readonly isSingle: boolean
}

/** Below this similarity a memory does not take the slot of another. */
export const slotThreshold = 0.8

/**
 * By its own words; otherwise the slot recorded earlier; otherwise that of the earliest similar memory whose words name one. The earliest,
 * because a slot that is taken stays taken: a memory that arrives later must not move others to another slot.
 */
export function assignSlots(memories: readonly Memory[], similar: readonly SimilarPair[]): ReadonlyMap<string, AssignedSlot> {
  // Steps are no value of a slot, whatever the words of the request were.
  const byWords = new Map(memories.map((memory) => [memory.id, memory.procedure === null ? slotOf(memory) : null]))
  const order = new Map(memories.map(({ id }, index) => [id, index]))
  const neighbors = new Map<string, string[]>()
  for (const { left, right, score } of similar) {
    if (score < slotThreshold || left === right || !order.has(left) || !order.has(right)) continue
    neighbors.set(left, [...(neighbors.get(left) ?? []), right])
    neighbors.set(right, [...(neighbors.get(right) ?? []), left])
  }
  return new Map(
    memories.map((memory) => {
      if (memory.procedure !== null) return [memory.id, { key: null, isSingle: false }]
      const key = byWords.get(memory.id) ?? memory.slot ?? slotOfNeighbors(memory, neighbors.get(memory.id) ?? [], byWords, order)
      return [memory.id, { key, isSingle: key !== null && slotNamed(key)?.holds === 'one' }]
    }),
  )
}

function slotOfNeighbors(
  { memory_kind }: Memory,
  neighbors: readonly string[],
  byWords: ReadonlyMap<string, string | null>,
  order: ReadonlyMap<string, number>,
): string | null {
  const earliest = neighbors.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0))
  for (const id of earliest) {
    const key = byWords.get(id) ?? null
    if (key !== null && slotNamed(key)?.kinds.includes(memory_kind)) return key
  }
  return null
}
