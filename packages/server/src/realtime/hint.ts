// Merges hints of the same kind to one reader: only the last one is needed.
import type { ServerMessage } from '@tandem/contract/ws'

export type SyncHint = Extract<ServerMessage, { type: 'sync.changed' }>

/** By the writing device: a device ignores hints of its own writes, so writes of two devices must not become one hint. */
export type HeldHints = Map<string, SyncHint>

/** The later cursor with the entity types of both: a reader that pulls for it misses nothing. */
export function holdHint(held: HeldHints, hint: SyncHint): void {
  const before = held.get(hint.device_id)
  held.set(hint.device_id, before ? mergeHints(before, hint) : hint)
}

export function mergeHints(left: SyncHint, right: SyncHint): SyncHint {
  const [earlier, later] = left.cursor_ts <= right.cursor_ts ? [left, right] : [right, left]
  return { ...later, entity_types: [...new Set([...earlier.entity_types, ...later.entity_types])].toSorted() }
}
