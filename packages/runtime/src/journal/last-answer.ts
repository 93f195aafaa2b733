import type { Journal } from './journal.ts'

/** The last message of the agent in a run; null if it wrote none. */
export function lastAnswer(journal: Pick<Journal, 'steps' | 'messages'>, run_id: string): string | null {
  const last = journal.steps(run_id).findLast(({ step }) => step.kind === 'message.completed')?.step
  return last?.kind === 'message.completed' ? (journal.messages.get(last.message_id)?.text ?? null) : null
}
