import type { Journal } from './journal.ts'
import type { RunRecord } from './run-record.ts'

/** The latest run of a conversation that belongs to this device. */
export function ownRun(journal: Pick<Journal, 'runs'>, device_id: string, conversation_id: string): RunRecord | undefined {
  return journal.runs({ conversation_id, limit: -1 }).find((run) => run.device_id === device_id)
}
