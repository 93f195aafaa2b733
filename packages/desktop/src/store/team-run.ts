// The part of a run in its team, as its own steps show it.
import type { RunJournal } from './journal.ts'

export interface StartedBy {
  readonly run_id: string
  readonly parent_run_id: string
  readonly role: string | null
}

/** Which run started this one; null if a user or a task did. */
export function startedBy({ run_id, steps }: RunJournal): StartedBy | null {
  const started = steps.find(({ kind }) => kind === 'run.started')
  if (started?.kind !== 'run.started' || started.parent_run_id === undefined) return null
  return { run_id, parent_run_id: started.parent_run_id, role: started.role_text ?? null }
}

/** The newest run of a conversation that another run started, or that has started others; null if there is none. */
export function teamRunIn(journals: Iterable<RunJournal>, conversation_id: string): RunJournal | null {
  let newest: RunJournal | null = null
  for (const journal of journals) {
    // Ids of runs sort by creation time.
    if (journal.conversation_id !== conversation_id || (newest && newest.run_id > journal.run_id)) continue
    if (startedBy(journal) !== null || journal.steps.some(({ kind }) => kind === 'child.started')) newest = journal
  }
  return newest
}
