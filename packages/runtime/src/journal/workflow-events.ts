// The events of workflow runs, written here or received from other devices.
import type { MarkedFolders } from '@tandem/contract/marked-path'
import type { WorkflowRunEvent, WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import type { Store } from '../store/store.ts'
import { markFailure, showFailure } from './recorded-step.ts'

export interface WorkflowEvents {
  /** Appends an event of this device. */
  append(event: WrittenWorkflowRunEvent): void
  /** In the order of their numbers. An event that only a newer Tandem can read is marked as such. */
  of(workflow_run_id: string, query: EventQuery): readonly WorkflowRunEvent[]
  /** The same, one after the other and up to this number: a long run is never in memory as a whole. */
  all(workflow_run_id: string, last_seq?: number): Iterable<WorkflowRunEvent>
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

/** How many are read at once. */
const pageLength = 1_000

/** `runOf`: the run that a workflow run goes on in. */
export function openWorkflowEvents(
  store: Pick<Store, 'sql' | 'device_id' | 'user_homes'>,
  runOf: (run_id: string) => { readonly workspace: string } | undefined,
): WorkflowEvents {
  const { sql, device_id, user_homes: homes } = store

  /** The folders that the markers of an event stand for; null for events of other devices. */
  function foldersOf(event: { readonly device_id: string; readonly run_id: string | null }): MarkedFolders | null {
    if (event.device_id !== device_id) return null
    return { workspace: (event.run_id === null ? undefined : runOf(event.run_id))?.workspace ?? '', homes }
  }

  function shown(event: WorkflowRunEvent): WorkflowRunEvent {
    if (event.kind !== 'node.failed') return event
    return { ...event, failure_contract: showFailure(event.failure_contract, foldersOf(event)) }
  }

  function marked(event: WrittenWorkflowRunEvent): WrittenWorkflowRunEvent {
    const folders = event.kind === 'node.failed' ? foldersOf(event) : null
    return event.kind === 'node.failed' && folders ? { ...event, failure_contract: markFailure(event.failure_contract, folders) } : event
  }

  function of(workflow_run_id: string, { after = beginning, kinds, limit, ...query }: EventQuery): readonly WorkflowRunEvent[] {
    const only = kinds === undefined ? null : JSON.stringify(kinds)
    const node_id = query.node_id ?? null
    const rows = sql.all<EventRow>`
      SELECT known, payload FROM workflow_run_events
      WHERE workflow_run_id = ${workflow_run_id} AND (seq, event_id) > (${after.seq}, ${after.event_id})
        AND (${only} IS NULL OR payload ->> 'kind' IN (SELECT value FROM json_each(${only})))
        AND (${node_id} IS NULL OR payload ->> 'node_id' = ${node_id})
      ORDER BY seq, event_id LIMIT ${limit}`
    return rows.map(({ known, payload }) => (known === 1 ? shown(JSON.parse(payload)) : unknownEvent(JSON.parse(payload))))
  }

  return {
    of,
    append(event) {
      sql.run`
        INSERT INTO workflow_run_events (event_id, workflow_run_id, seq, ts, payload)
        VALUES (${event.event_id}, ${event.workflow_run_id}, ${event.seq}, ${Date.parse(event.ts)}, ${JSON.stringify(marked(event))})`
    },
    *all(workflow_run_id, last_seq = Number.POSITIVE_INFINITY) {
      for (let after = beginning; ; ) {
        const page = of(workflow_run_id, { after, limit: pageLength })
        for (const event of page) {
          if (event.seq > last_seq) return
          yield event
        }
        const last = page.at(-1)
        if (!last || page.length < pageLength) return
        after = last
      }
    },
  }
}

type Placed = Omit<Extract<WorkflowRunEvent, { kind: 'unknown' }>, 'kind' | 'unknown_kind' | 'fields'>

function unknownEvent(payload: Placed & { readonly kind: string }): WorkflowRunEvent {
  const { kind, event_id, workflow_run_id, workflow_id, run_id, device_id, seq, ts, ...fields } = payload
  const place = { event_id, workflow_run_id, workflow_id, run_id, device_id, seq, ts }
  return { ...place, kind: 'unknown', unknown_kind: kind, fields: JSON.stringify(fields) }
}
