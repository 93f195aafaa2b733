// What belongs to a conversation, by the ids that tables refer to it with.
import type { Store } from '../store/store.ts'
import type { ErasedBy } from './row-rules.ts'

/** As JSON lists. */
export type ErasedIds = Readonly<Record<ErasedBy, string>>

/** While its rows are still there. */
export function erasedIdsOf({ sql }: Pick<Store, 'sql'>, conversation_id: string): ErasedIds {
  const list = (rows: readonly Readonly<Record<string, unknown>>[]) => JSON.stringify(rows.map(({ id }) => id))
  const runs = sql.all<{ id: number; run_id: string; workflow_run_id: string | null }>`
    SELECT r.no AS id, r.run_id, r.workflow_run_id FROM runs r JOIN conversations c ON c.no = r.conversation
    WHERE c.conversation_id = ${conversation_id}`
  const run = list(runs)
  const run_id = JSON.stringify(runs.map((one) => one.run_id))
  // A run of another device does not name its workflow run in its row, but reports it in its steps, as does a run that only started it.
  const ofOthers = sql.all<{ id: string }>`
    SELECT DISTINCT s.body ->> 'workflow_run_id' AS id FROM agent_run_steps s
    WHERE s.run IN (SELECT value FROM json_each(${run})) AND s.kind = 'workflow.status' AND EXISTS (
      SELECT 1 FROM workflow_run_events e WHERE e.workflow_run_id = s.body ->> 'workflow_run_id'
        AND e.payload ->> 'run_id' IN (SELECT value FROM json_each(${run_id})))`
  const workflowRuns = new Set([...runs.flatMap(({ workflow_run_id }) => workflow_run_id ?? []), ...ofOthers.map(({ id }) => id)])
  return {
    run,
    run_id,
    conversation: list(sql.all`SELECT no AS id FROM conversations WHERE conversation_id = ${conversation_id}`),
    conversation_id: JSON.stringify([conversation_id]),
    workflow_run_id: JSON.stringify([...workflowRuns]),
    evolution_run: list(sql.all`SELECT no AS id FROM evolution_runs WHERE run_id IN (SELECT value FROM json_each(${run_id}))`),
  }
}
