// The outbox for the engine: pending changes, in the order of writing, with their current content.
import { type Change, type EntityType, entityTypes } from '@tandem/contract/sync'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { Entities, FactPosition } from './entity/entities.ts'

/** A change as it was sent. What overwrote it meanwhile is still pending. */
export interface Sent {
  readonly no: number
  readonly place: FactPosition
  readonly change: Change
}

export interface Outbox {
  count(): number
  /** For records only: facts are pending until they are sent, and nothing can overwrite them. */
  waits(type: EntityType, entity_id: string): boolean
  /** The oldest that fit. */
  batch(room: { readonly changes: number; readonly bytes: number }): readonly Sent[]
  /** Removes it, unless it was overwritten since. */
  settle(sent: Sent): void
  drop(type: EntityType, entity_id: string): void
  /** Sends a local record again. */
  add(type: EntityType, entity_id: string): void
  addFact(change: Change, place: FactPosition): void
  /** Sends everything that is stored here again. */
  addAll(): void
  /** Restamps what is dated after `latest`, including todo items. */
  restamp(latest: number): void
}

interface OutboxRow {
  readonly no: number
  readonly entity_type: EntityType
  readonly entity_id: string
  readonly op: Change['op']
  readonly version: number
  readonly updated_at: number
  readonly source_ts: number
  readonly run: number | null
  readonly seq: number | null
}

export function openOutbox(store: Store, entities: Entities): Outbox {
  const { sql } = store

  function changeOf(row: OutboxRow): Change | undefined {
    const { entity_type, entity_id, op, version } = row
    const payload = entities.payload(entity_type, entity_id, row)
    if (!payload) return undefined
    return { entity_type, entity_id, op, version, updated_at: timestamp(row.updated_at), source_ts: timestamp(row.source_ts), payload }
  }

  return {
    count() {
      return Number(sql.get`SELECT count(*) AS count FROM outbox`?.count)
    },
    waits(type, entity_id) {
      const row = sql.get`
        SELECT 1 AS found FROM outbox WHERE entity_type = ${type} AND entity_id = ${entity_id}
          AND entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events')`
      return row !== undefined
    },
    batch({ changes, bytes }) {
      const batch: Sent[] = []
      let size = 0
      // A step is in the outbox by its run and number only.
      const rows = sql.all<OutboxRow>`
        SELECT o.no, o.entity_type, iif(o.entity_id = '', s.step_id, o.entity_id) AS entity_id, o.op, o.version, o.updated_at, o.source_ts,
          o.run, o.seq
        FROM outbox o LEFT JOIN agent_run_steps s ON o.entity_id = '' AND s.run = o.run AND s.seq = o.seq
        ORDER BY o.no LIMIT ${changes}`
      for (const row of rows) {
        const change = changeOf(row)
        if (!change) {
          sql.run`DELETE FROM outbox WHERE no = ${row.no}`
          continue
        }
        size += Buffer.byteLength(JSON.stringify(change)) + 1
        if (size > bytes && batch.length > 0) break
        batch.push({ no: row.no, place: { run: row.run, seq: row.seq }, change })
      }
      return batch
    },
    settle({ no, change }) {
      sql.run`DELETE FROM outbox WHERE no = ${no} AND version = ${change.version} AND updated_at = ${Date.parse(change.updated_at)}`
    },
    drop(type, entity_id) {
      sql.run`
        DELETE FROM outbox WHERE entity_type = ${type} AND entity_id = ${entity_id}
          AND entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events')`
    },
    add(type, entity_id) {
      sql.run`
        INSERT OR REPLACE INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts)
        SELECT entity_type, entity_id, iif(deleted, 'delete', 'upsert'), version, updated_at, source_ts FROM records
        WHERE entity_type = ${type} AND entity_id = ${entity_id}`
    },
    addFact({ entity_type, entity_id, source_ts }, { run, seq }) {
      sql.run`
        INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts, run, seq)
        VALUES (${entity_type}, ${entity_id}, 'upsert', 1, ${store.stamps.next()}, ${Date.parse(source_ts)}, ${run}, ${seq})`
    },
    addAll() {
      sql.run`DELETE FROM outbox`
      sql.run`
        INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts)
        SELECT entity_type, entity_id, iif(deleted, 'delete', 'upsert'), version, updated_at, source_ts FROM records
        ORDER BY entity_type, entity_id`
      // A step comes before what belongs to it.
      sql.run`
        INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts, run, seq)
        SELECT entity_type, entity_id, 'upsert', 1, tandem_stamp(), written, run, seq FROM (
          SELECT 'agent_run_steps' AS entity_type, step_id AS entity_id, ts AS written, run, seq, 0 AS rank FROM agent_run_steps
          UNION ALL SELECT 'tool_calls', call_id, settled_at, run, call_seq, 1 FROM tool_calls
          UNION ALL SELECT 'messages', message_id, created_at, NULL, NULL, 2 FROM messages
          UNION ALL SELECT 'workflow_run_events', event_id, ts, NULL, NULL, 3 FROM workflow_run_events
          ORDER BY rank, written, run, seq)`
      for (const row of sql.all`SELECT change FROM sync_unread ORDER BY entity_type, entity_id`) {
        const { entity_type, entity_id, op, version, updated_at, source_ts } = JSON.parse(String(row.change)) as Change
        sql.run`
          INSERT OR IGNORE INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts)
          VALUES (${entity_type}, ${entity_id}, ${op}, ${version}, ${Date.parse(updated_at)}, ${Date.parse(source_ts)})`
      }
    },
    restamp(latest) {
      const rows = sql.all<OutboxRow>`SELECT * FROM outbox ORDER BY no`
      for (const { no, entity_type, entity_id, updated_at } of rows) {
        const todos = entity_type === 'todos' ? restampItems(store, entity_id, latest) : false
        if (updated_at <= latest && !todos) continue
        const stamp = store.stamps.next()
        sql.run`UPDATE outbox SET updated_at = ${stamp} WHERE no = ${no}`
        if (entityTypes[entity_type] === 'append_only') continue
        sql.run`UPDATE records SET updated_at = ${stamp} WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
      }
    },
  }
}

interface DatedItem {
  readonly state_ts: string
}

/** Whether an item was dated after `latest` and was restamped. */
function restampItems({ sql, stamps }: Store, entity_id: string, latest: number): boolean {
  const row = sql.get<{ payload: string }>`SELECT payload FROM records WHERE entity_type = 'todos' AND entity_id = ${entity_id}`
  const { todos = [] } = row ? (JSON.parse(row.payload) as { todos?: readonly DatedItem[] }) : {}
  if (!todos.some(({ state_ts }) => Date.parse(state_ts) > latest)) return false
  const stamped = todos.map((item) => (Date.parse(item.state_ts) > latest ? { ...item, state_ts: timestamp(stamps.next()) } : item))
  sql.run`UPDATE records SET payload = ${JSON.stringify({ todos: stamped })} WHERE entity_type = 'todos' AND entity_id = ${entity_id}`
  return true
}
