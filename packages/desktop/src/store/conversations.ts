// The conversations that the window has read. Pure.
import type { Conversation } from '@tandem/contract/command'

type Known = ReadonlyMap<string, Conversation>

/** Whether there are more than those that were read. */
export interface OlderConversations {
  readonly active: boolean
  readonly archived: boolean
}

/** What did not change stays the same object, so that only changed lines are rendered again. */
export function withConversations(before: Known | null, read: readonly Conversation[]): Known {
  const next = new Map(
    read.map((one) => {
      const old = before?.get(one.conversation_id)
      return [one.conversation_id, old && isEqual(old, one) ? old : one]
    }),
  )
  if (!before || before.size !== next.size) return next
  const order = [...before.values()]
  return [...next.values()].every((one, at) => one === order[at]) ? before : next
}

/** Both were parsed from the same kind of JSON. */
function isEqual(left: Conversation, right: Conversation): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
