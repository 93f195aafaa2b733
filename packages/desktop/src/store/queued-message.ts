// Messages that the user wrote while a run was open. The run gets them at its next turn, and writes a step then.
import { isTerminalRunState } from '@tandem/contract/run'
import type { RunJournal } from './journal.ts'

export interface QueuedMessage {
  readonly message_id: string
  readonly run_id: string
  readonly text: string
  readonly sent_at: string
}

/** `missed`: the run ended before it got the message. */
export type QueuedStatus = 'queued' | 'missed'

/** Null if the run has received it. */
export function queuedStatus({ message_id }: QueuedMessage, journal: RunJournal | undefined): QueuedStatus | null {
  if (journal?.steps.some((step) => 'message_id' in step && step.message_id === message_id)) return null
  return journal && isTerminalRunState(journal.state) ? 'missed' : 'queued'
}
