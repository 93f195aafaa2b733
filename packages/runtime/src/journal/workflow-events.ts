// The events of workflow runs, written here or received from other devices.
import type { WorkflowRunEvent, WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import type { Store } from '../store/store.ts'

export interface WorkflowEvents {
  /** Appends an event of this device. */
  append(event: WrittenWorkflowRunEvent): void
  /** In the order of their numbers. An event that only a newer Tandem can read is marked as such. */
  of(workflow_run_id: string, query: EventQuery): readonly WorkflowRunEvent[]
  /** The last event of a kind. */
  last(workflow_run_id: string, kind: WrittenWorkflowRunEvent['kind']): WorkflowRunEvent | undefined
}

export interface EventQuery {
  readonly after?: EventPosition
  /** Only events of these kinds. */
  readonly kinds?: readonly string[]
  /** Only events of this node. */
  readonly node_id?: string
  readonly limit: number
}

export interface EventPosition {
  readonly seq: number
  readonly event_id: string
}

interface EventRow {
  readonly known: number
  readonly payload: string
}

const beginning: EventPosition = { seq: -1, event_id: '' }

export function openWorkflowEvents({ sql }: Pick<Store, 'sql'>): WorkflowEvents {
  return {
    append(event) {
      sql.run`
        INSERT INTO workflow_run_events (event_id, workflow_run_id, seq, ts, payload)
        VALUES (${event.event_id}, ${event.workflow_run_id}, ${event.seq}, ${Date.parse(event.ts)}, ${JSON.stringify(event)})`
    },
    of(workflow_run_id, { after = beginning, kinds, node_id = null, limit }) {
      const only = kinds === undefined ? null : JSON.stringify(kinds)
      const rows = sql.all<EventRow>`
        SELECT known, payload FROM workflow_run_events
        WHERE workflow_run_id = ${workflow_run_id} AND (seq, event_id) > (${after.seq}, ${after.event_id})
          AND (${only} IS NULL OR payload ->> 'kind' IN (SELECT value FROM json_each(${only})))
          AND (${node_id} IS NULL OR payload ->> 'node_id' = ${node_id})
        ORDER BY seq, event_id LIMIT ${limit}`
      return rows.map(eventOf)
    },
    last(workflow_run_id, kind) {
      const row = sql.get<EventRow>`
        SELECT known, payload FROM workflow_run_events WHERE workflow_run_id = ${workflow_run_id} AND payload ->> 'kind' = ${kind}
        ORDER BY seq DESC, event_id DESC LIMIT 1`
      return row && eventOf(row)
    },
  }
}

function eventOf({ known, payload }: EventRow): WorkflowRunEvent {
  return known === 1 ? JSON.parse(payload) : unknownEvent(JSON.parse(payload))
}

type Placed = Omit<Extract<WorkflowRunEvent, { kind: 'unknown' }>, 'kind' | 'unknown_kind' | 'fields'>

function unknownEvent(payload: Placed & { readonly kind: string }): WorkflowRunEvent {
  const { kind, event_id, workflow_run_id, workflow_id, run_id, device_id, seq, ts, ...fields } = payload
  const place = { event_id, workflow_run_id, workflow_id, run_id, device_id, seq, ts }
  return { ...place, kind: 'unknown', unknown_kind: kind, fields: JSON.stringify(fields) }
}
