// Messages that the user wrote while a run was open. A run gets them at its next turn, or starts with them, and writes a step then.
import type { QueuedMessage } from '@tandem/contract/command'
import type { RunJournal } from './journal.ts'

export type { QueuedMessage } from '@tandem/contract/command'

/** The list and the steps arrive separately: a message that a run of the conversation has received no longer waits. */
export function isWaiting({ message_id }: QueuedMessage, journals: readonly RunJournal[]): boolean {
  return !journals.some(({ steps }) => steps.some((step) => 'message_id' in step && step.message_id === message_id))
}

export interface QueueState {
  readonly queued: ReadonlyMap<string, readonly QueuedMessage[]>
  readonly journals: ReadonlyMap<string, RunJournal>
}

/** The messages of a conversation that no run has received. */
export function waitingIn({ queued, journals }: QueueState, conversation_id: string): readonly QueuedMessage[] {
  const all = queued.get(conversation_id) ?? []
  if (all.length === 0) return all
  const own = [...journals.values()].filter((journal) => journal.conversation_id === conversation_id)
  return all.filter((one) => isWaiting(one, own))
}
