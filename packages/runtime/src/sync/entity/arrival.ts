// What happens to a local record when one arrives from the cloud, which has already merged it: only what the cloud has not seen can differ.
import { canonicalJson, mergeTodoItems, type TodoItemLike } from '@tandem/contract/sync'

export interface RecordVersion {
  readonly updated_at: number
  readonly version: number
}

/** `take`: it replaces the local record. `keep`: the pending local write stays, and the cloud decides. `send`: the local one is later. */
export type ArrivalDecision = 'take' | 'keep' | 'send'

export type ArrivalRule = (held: RecordVersion | undefined, incoming: RecordVersion, waits: PendingState) => ArrivalDecision

/** Whether the local record is in the outbox. */
export type PendingState = 'waiting' | 'settled'

/**
 * Last-write-wins. A change does not contain its device, so a tie cannot be decided here: a pending write is left to the cloud's verdict,
 * and a settled one loses to the cloud.
 */
export const arrivalOf: ArrivalRule = (held, incoming, waits) => {
  if (!held) return 'take'
  const order = incoming.updated_at - held.updated_at || incoming.version - held.version
  if (order > 0) return 'take'
  if (order === 0) return waits === 'waiting' ? 'keep' : 'take'
  return waits === 'waiting' ? 'keep' : 'send'
}

/** The items of both; `news` says whether the cloud lacks some of them. */
export function mergeTodos<Item extends TodoItemLike>(held: readonly Item[], incoming: readonly Item[]): { todos: Item[]; news: boolean } {
  const todos = mergeTodoItems(held, incoming)
  return { todos, news: canonicalJson(todos) !== canonicalJson(mergeTodoItems(incoming, [])) }
}
