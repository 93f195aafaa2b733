// What becomes of a record held here when one arrives from the cloud. The cloud has merged already; only what it has not seen can differ.
import { canonicalJson, mergeTodoItems, type TodoItemLike } from '@tandem/contract/sync'

export interface Marks {
  readonly updated_at: number
  readonly version: number
}

/** `take`: it is the record now. `keep`: the write that waits here stays and is judged by the cloud. `send`: what is here is later and must go out. */
export type Arrival = 'take' | 'keep' | 'send'

export type ArrivalRule = (held: Marks | undefined, incoming: Marks, waits: Waits) => Arrival

/** Whether the record held here stands in the outbox. */
export type Waits = 'waiting' | 'settled'

/**
 * Last write wins. A change does not say which device wrote it, so a tie can't be judged here: a waiting write is left to the cloud's
 * verdict, and against a settled one the cloud is right.
 */
export const arrivalOf: ArrivalRule = (held, incoming, waits) => {
  if (!held) return 'take'
  const order = incoming.updated_at - held.updated_at || incoming.version - held.version
  if (order > 0) return 'take'
  if (order === 0) return waits === 'waiting' ? 'keep' : 'take'
  return waits === 'waiting' ? 'keep' : 'send'
}

/** The items of both; `news` says whether the cloud lacks some of them. */
export function uniteTodos<Item extends TodoItemLike>(held: readonly Item[], incoming: readonly Item[]): { todos: Item[]; news: boolean } {
  const todos = mergeTodoItems(held, incoming)
  return { todos, news: canonicalJson(todos) !== canonicalJson(mergeTodoItems(incoming, [])) }
}
