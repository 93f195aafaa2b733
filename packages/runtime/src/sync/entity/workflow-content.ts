// Whether what a workflow run recorded may have content of a call that stays on this device: of one that the workflow run, the one that it
// belongs to, or one of its parts had made before.
import type { WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import type { Store } from '../../store/store.ts'

/** The first such call of a run, as far as its steps were looked at. */
interface ScannedRun {
  through: number
  first: number | null
}

const mostRuns = 200

export interface WorkflowContent {
  inEvent(event: WrittenWorkflowRunEvent): boolean
  /** In what one of its nodes did or was given at this time. Not for null. */
  isIn(workflow_run_id: string | null, at: number): boolean
}

export function openWorkflowContent({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): WorkflowContent {
  const scanned = new Map<string, ScannedRun>()

  /** The runs that carry it, and those that carry the workflow runs above and below it. A child has a key that begins with its parent. */
  function runsWith(workflow_run_id: string): readonly string[] {
    return sql.all<{ run_id: string }>`
      WITH RECURSIVE above (id, parent_id) AS (
        SELECT workflow_run_id, parent_id FROM workflow_runs WHERE workflow_run_id = ${workflow_run_id}
        UNION SELECT w.workflow_run_id, w.parent_id FROM workflow_runs w JOIN above ON w.workflow_run_id = above.parent_id
      ), all_ids (id) AS (
        SELECT id FROM above
        UNION SELECT w.workflow_run_id FROM all_ids JOIN workflow_runs w ON w.start_key > all_ids.id || ':' AND w.start_key < all_ids.id || ';'
      )
      SELECT r.run_id FROM all_ids JOIN runs r ON r.workflow_run_id = all_ids.id`.map(({ run_id }) => run_id)
  }

  /** When the first one was requested. Steps are only added, so each is looked at once. */
  function firstCall(run_id: string): number | null {
    const known = scanned.get(run_id) ?? { through: -1, first: null }
    if (known.first !== null) return known.first
    const found = sql.get<{ ts: number | null; last: number | null }>`
      SELECT min(CASE WHEN s.kind = 'tool.call' AND s.here ->> 'leaves' = 'ids' THEN s.ts END) AS ts, max(s.seq) AS last
      FROM agent_run_steps s JOIN runs r ON r.no = s.run WHERE r.run_id = ${run_id} AND s.seq > ${known.through}`
    if (scanned.size >= mostRuns) scanned.clear()
    scanned.set(run_id, { through: found?.last ?? known.through, first: found?.ts ?? null })
    return found?.ts ?? null
  }

  function isIn(workflow_run_id: string | null, at: number): boolean {
    if (workflow_run_id === null) return false
    return runsWith(workflow_run_id).some((run_id) => {
      const first = firstCall(run_id)
      return first !== null && first <= at
    })
  }

  return {
    isIn,
    inEvent(event) {
      if (event.device_id !== device_id) return false
      const hasContent =
        event.kind === 'node.failed' ||
        (event.kind === 'started' && event.inputs !== undefined) ||
        (event.kind === 'node.completed' && (event.output !== undefined || event.output_file_id !== undefined))
      return hasContent && isIn(event.workflow_run_id, Date.parse(event.ts))
    },
  }
}
