// What comes from the cloud, put where it belongs. Always called in the transaction that also keeps the cursor.
import type { RunStep } from '@tandem/contract/run'
import { type Change, type EntityType, entityTypes, isEntityType, type TodosPayload } from '@tandem/contract/sync'
import type { Store } from '../store/store.ts'
import { type ArrivalRule, uniteTodos } from './arrival.ts'
import type { Entities } from './entities.ts'
import { openFacts, type Unreadable } from './facts.ts'
import { filesIn } from './files.ts'
import type { Outbox } from './outbox.ts'
import { openProjection } from './projection.ts'
import { fits } from './shapes.ts'

export interface Inbox {
  /** The latest stamp among them; 0 for none. */
  arrive(changes: readonly Change[]): number
  /** Tries again what came ahead of what it belongs to. */
  retryEarly(): void
  /** After an upgrade: tries again all that was not understood. */
  retryAll(): void
  unread(): number
}

export interface InboxPorts {
  readonly arrivalOf: ArrivalRule
  /** Heard once it is on disk. */
  stepArrived(step: RunStep): void
  /** A text that lies in a file of the cloud. */
  fileWanted(file_id: string): void
}

interface HeldRecord {
  readonly version: number
  readonly updated_at: number
  readonly deleted: 0 | 1
  readonly payload: string
}

export function openInbox(store: Store, entities: Entities, outbox: Outbox, ports: InboxPorts): Inbox {
  const { sql } = store
  const facts = openFacts(store, entities)
  const projection = openProjection(store)

  function keepAside(change: Change, reason: Unreadable): void {
    sql.run`
      INSERT OR REPLACE INTO sync_unread (entity_type, entity_id, reason, change)
      VALUES (${change.entity_type}, ${change.entity_id}, ${reason}, ${JSON.stringify(change)})`
  }

  function isAside(type: string, entity_id: string): boolean {
    return sql.get`SELECT 1 AS found FROM sync_unread WHERE entity_type = ${type} AND entity_id = ${entity_id}` !== undefined
  }

  function fact(change: Change, touched: Touched): void {
    const arrival = facts.arrive(change)
    if (arrival.kind === 'unreadable') keepAside(change, arrival.reason)
    if (arrival.kind !== 'new') return
    touched.conversations.add(arrival.conversation)
    if (arrival.run !== null) touched.runs.add(arrival.run)
    const { step } = arrival
    if (step) store.afterCommit(() => ports.stepArrived(step))
    for (const file_id of filesIn(change)) ports.fileWanted(file_id)
  }

  function held(type: EntityType, entity_id: string): HeldRecord | undefined {
    return sql.get`SELECT version, updated_at, deleted, payload FROM records WHERE entity_type = ${type} AND entity_id = ${entity_id}` as
      | HeldRecord
      | undefined
  }

  function write({ entity_type, entity_id, op, version, updated_at, source_ts }: Change, payload: string): void {
    sql.run`
      INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload, shared)
      VALUES (${entity_type}, ${entity_id}, ${version}, ${Date.parse(updated_at)}, ${Date.parse(source_ts)}, '', ${op === 'delete' ? 1 : 0},
        ${payload}, ${op === 'delete' ? 0 : 1})
      ON CONFLICT (entity_type, entity_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at,
        source_ts = excluded.source_ts, device_id = excluded.device_id, deleted = excluded.deleted, payload = excluded.payload,
        shared = excluded.shared`
  }

  function record(change: Change): void {
    const { entity_type, entity_id, version, payload } = change
    const mine = held(entity_type, entity_id)
    const waits = outbox.waits(entity_type, entity_id) ? 'waiting' : 'settled'
    const arrival = ports.arrivalOf(mine, { updated_at: Date.parse(change.updated_at), version }, waits)
    const lives = change.op === 'upsert' ? 1 : 0
    sql.run`UPDATE records SET shared = ${lives} WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    if (arrival === 'send') outbox.add(entity_type, entity_id)
    if (arrival !== 'take') return
    write(change, JSON.stringify(payload))
    outbox.drop(entity_type, entity_id)
  }

  function todos(change: Change, mine: HeldRecord | undefined): void {
    const theirs = (change.payload as TodosPayload).todos
    const ours = mine ? (JSON.parse(mine.payload) as TodosPayload).todos : []
    const union = uniteTodos(ours, theirs)
    const waits = outbox.waits('todos', change.entity_id)
    write(change, JSON.stringify({ todos: union.todos }))
    if (!union.news) outbox.drop('todos', change.entity_id)
    // A waiting change keeps its place in the line; only its marks are those of the record.
    else if (waits) {
      sql.run`
        UPDATE outbox SET version = ${change.version}, updated_at = ${Date.parse(change.updated_at)}
        WHERE entity_type = 'todos' AND entity_id = ${change.entity_id}
          AND entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events')`
    } else outbox.add('todos', change.entity_id)
  }

  function one(change: Change, touched: Touched): void {
    const { entity_type, entity_id, op, payload } = change
    if (isEntityType(entity_type) && entityTypes[entity_type] === 'append_only') {
      if (!isAside(entity_type, entity_id)) fact(change, touched)
      return
    }
    // What this Tandem can't read is not taken apart: it waits, whole, for one that can.
    if (!isEntityType(entity_type) || (op === 'upsert' && !fits(entity_type, payload))) {
      keepAside(change, 'unknown_shape')
      return
    }
    sql.run`DELETE FROM sync_unread WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    if (entity_type === 'todos') todos(change, held(entity_type, entity_id))
    else record(change)
  }

  function all(changes: readonly Change[]): void {
    const touched: Touched = { runs: new Set(), conversations: new Set() }
    for (const change of changes) one(change, touched)
    for (const run of touched.runs) projection.refresh(run)
    for (const conversation of touched.conversations) projection.refreshConversation(conversation)
  }

  function retry(rows: readonly Record<string, unknown>[]): void {
    const changes = rows.map(({ change }) => JSON.parse(String(change)) as Change)
    for (const { entity_type, entity_id } of changes) {
      sql.run`DELETE FROM sync_unread WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    }
    all(changes)
  }

  return {
    arrive(changes) {
      const latest = changes.reduce((stamp, { updated_at }) => Math.max(stamp, Date.parse(updated_at)), 0)
      store.stamps.observe(latest)
      all(changes)
      return latest
    },
    retryEarly: () => retry(sql.all`SELECT change FROM sync_unread WHERE reason = 'early'`),
    retryAll: () => retry(sql.all`SELECT change FROM sync_unread`),
    unread: () => Number(sql.get`SELECT count(*) AS count FROM sync_unread WHERE reason <> 'early'`?.count),
  }
}

interface Touched {
  readonly runs: Set<number>
  readonly conversations: Set<number>
}
