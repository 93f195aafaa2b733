import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import type { Features } from './features.ts'

export function workflowRunHandlers({ journal }: Pick<Features, 'journal'>): CommandTable {
  return {
    workflow_run_list_events({ workflow_run_id, kinds, node_id, ...paging }) {
      const from = positionOf('workflow_run_list_events', paging, ['string', 'number', 'string'])
      if (!from.ok) return from
      const [of, seq, event_id] = from.value ?? []
      if (of !== undefined && of !== workflow_run_id)
        return { ok: false, code: 'invalid_cursor', message: 'the cursor belongs to another workflow run' }
      const after = from.value ? { after: { seq: Number(seq), event_id: String(event_id) } } : {}
      const only = { ...(kinds ? { kinds } : {}), ...(node_id === undefined ? {} : { node_id }) }
      const events = journal.workflowEvents.of(workflow_run_id, { ...after, ...only, limit: limitOf(paging) + 1 })
      const page = pageOf('workflow_run_list_events', events, (event) => [workflow_run_id, event.seq, event.event_id], paging)
      return { ok: true, value: page }
    },
  }
}
