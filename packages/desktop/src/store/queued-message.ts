// Messages that the user wrote while a run was open. The run gets them at its next turn, and writes a step then.
import type { QueuedMessage as WaitingMessage } from '@tandem/contract/command'
import type { RunJournal } from './journal.ts'

export interface QueuedMessage extends WaitingMessage {
  readonly run_id: string
}

/** The list and the steps arrive separately: a message that the run has received no longer waits. */
export function isWaiting({ message_id }: QueuedMessage, journal: RunJournal | undefined): boolean {
  return !journal?.steps.some((step) => 'message_id' in step && step.message_id === message_id)
}
