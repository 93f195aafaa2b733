// Stores changes from the cloud. Always called in the transaction that also stores the cursor.
import type { RunStep } from '@tandem/contract/run'
import { type Change, type EntityType, entityTypes, isEntityType, type TodosPayload } from '@tandem/contract/sync'
import type { Store } from '../store/store.ts'
import type { RecordType } from '../store/synchronized.ts'
import { type ArrivalRule, mergeTodos } from './entity/arrival.ts'
import type { Entities } from './entity/entities.ts'
import { openFacts, type UnreadableReason } from './entity/facts.ts'
import { filesIn } from './entity/files.ts'
import { openProjection } from './entity/projection.ts'
import { matchesSchema, unknownOf } from './entity/shapes.ts'
import type { Outbox } from './outbox.ts'

export interface Inbox {
  /** Returns the latest stamp among them; 0 if there are none. */
  arrive(changes: readonly Change[]): number
  /** Retries changes that arrived before what they belong to. */
  retryEarly(): void
  /** After an upgrade: retries everything that could not be read. */
  retryAll(): void
  unread(): number
}

/** Records by id; conversations and runs with new facts. */
export interface Arrivals {
  readonly records: readonly { readonly entity_type: RecordType; readonly entity_id: string }[]
  readonly facts: readonly EntityType[]
  readonly conversation_ids: readonly string[]
  readonly run_ids: readonly string[]
}

export interface InboxPorts {
  readonly arrivalOf: ArrivalRule
  /** Called when it is on disk. */
  stepArrived(step: RunStep): void
  /** What has changed, called when it is on disk. */
  arrived(arrivals: Arrivals): void
  /** A text that is stored in a file of the cloud. */
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

  function keepAside(change: Change, reason: UnreadableReason): void {
    sql.run`
      INSERT OR REPLACE INTO sync_unread (entity_type, entity_id, reason, change)
      VALUES (${change.entity_type}, ${change.entity_id}, ${reason}, ${JSON.stringify(change)})`
  }

  function isAside(type: string, entity_id: string): boolean {
    return sql.get`SELECT 1 AS found FROM sync_unread WHERE entity_type = ${type} AND entity_id = ${entity_id}` !== undefined
  }

  /** It was erased here, and the cloud sends it again. */
  function isErased(conversation_id: unknown): boolean {
    return (
      typeof conversation_id === 'string' &&
      sql.get`SELECT 1 AS found FROM erased_conversations WHERE conversation_id = ${conversation_id}` !== undefined
    )
  }

  /** Events of workflow runs name no conversation. */
  function isOfErasedRun({ entity_type, payload: { run_id, workflow_run_id } }: Change): boolean {
    if (entity_type !== 'workflow_run_events') return false
    const ids = JSON.stringify([run_id ?? null, workflow_run_id ?? null])
    return sql.get`SELECT 1 AS found FROM erased_runs WHERE id IN (SELECT value FROM json_each(${ids}))` !== undefined
  }

  function fact(change: Change, touched: Touched): void {
    if (isErased(change.payload.conversation_id) || isOfErasedRun(change)) return
    const arrival = facts.arrive(change)
    if (arrival.kind === 'unreadable') keepAside(change, arrival.reason)
    if (arrival.kind !== 'new') return
    touched.facts.add(change.entity_type)
    if (arrival.conversation !== null) touched.conversations.add(arrival.conversation)
    if (arrival.run !== null) touched.runs.add(arrival.run)
    const { step } = arrival
    if (step) store.afterCommit(() => ports.stepArrived(step))
    for (const file_id of filesIn(change)) ports.fileWanted(file_id)
  }

  function held(type: EntityType, entity_id: string): HeldRecord | undefined {
    return sql.get<HeldRecord>`SELECT version, updated_at, deleted, payload FROM records WHERE entity_type = ${type} AND entity_id = ${entity_id}`
  }

  function write({ entity_type, entity_id, op, version, updated_at, source_ts }: Change, payload: string, unknown: string | null): void {
    sql.run`
      INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload, unknown, shared)
      VALUES (${entity_type}, ${entity_id}, ${version}, ${Date.parse(updated_at)}, ${Date.parse(source_ts)}, '', ${op === 'delete' ? 1 : 0},
        ${payload}, ${op === 'delete' ? null : unknown}, ${op === 'delete' ? 0 : 1})
      ON CONFLICT (entity_type, entity_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at,
        source_ts = excluded.source_ts, device_id = excluded.device_id, deleted = excluded.deleted, payload = excluded.payload,
        unknown = excluded.unknown, shared = excluded.shared`
  }

  function record(change: Change): 'news' | 'nothing' {
    const { entity_type, entity_id, version, payload } = change
    const mine = held(entity_type, entity_id)
    const waits = outbox.waits(entity_type, entity_id) ? 'waiting' : 'settled'
    const arrival = ports.arrivalOf(mine, { updated_at: Date.parse(change.updated_at), version }, waits)
    const lives = change.op === 'upsert' ? 1 : 0
    sql.run`UPDATE records SET shared = ${lives} WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    if (arrival === 'send') outbox.add(entity_type, entity_id)
    if (arrival !== 'take') return 'nothing'
    const text = JSON.stringify(payload)
    const same = mine?.payload === text && mine.deleted === (change.op === 'delete' ? 1 : 0)
    write(change, text, isRecordType(entity_type) ? unknownOf(entity_type, payload) : null)
    outbox.drop(entity_type, entity_id)
    return same ? 'nothing' : 'news'
  }

  function todos(change: Change, mine: HeldRecord | undefined): 'news' | 'nothing' {
    const theirs = (change.payload as TodosPayload).todos
    const ours = mine ? (JSON.parse(mine.payload) as TodosPayload).todos : []
    const union = mergeTodos(ours, theirs)
    const waits = outbox.waits('todos', change.entity_id)
    const text = JSON.stringify({ todos: union.todos })
    write(change, text, null)
    if (!union.news) outbox.drop('todos', change.entity_id)
    // A pending change keeps its position in the queue; only its version and times are those of the record.
    else if (waits) {
      sql.run`
        UPDATE outbox SET version = ${change.version}, updated_at = ${Date.parse(change.updated_at)}
        WHERE entity_type = 'todos' AND entity_id = ${change.entity_id}
          AND entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events')`
    } else outbox.add('todos', change.entity_id)
    return mine?.payload === text ? 'nothing' : 'news'
  }

  function one(change: Change, touched: Touched): void {
    const { entity_type, entity_id, op, payload } = change
    if (isEntityType(entity_type) && !isRecordType(entity_type)) {
      if (!isAside(entity_type, entity_id)) fact(change, touched)
      return
    }
    // What this Tandem cannot read is not taken apart: it is kept as a whole for a version that can.
    if (!isEntityType(entity_type) || (op === 'upsert' && !matchesSchema(entity_type, payload))) {
      keepAside(change, 'unknown_shape')
      return
    }
    if (entity_type === 'todos' && isErased(entity_id)) return
    sql.run`DELETE FROM sync_unread WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    const came = entity_type === 'todos' ? todos(change, held(entity_type, entity_id)) : record(change)
    if (came === 'news') touched.records.push({ entity_type, entity_id })
  }

  function all(changes: readonly Change[]): void {
    const touched: Touched = { runs: new Set(), conversations: new Set(), facts: new Set(), records: [] }
    for (const change of changes) one(change, touched)
    settle(touched)
  }

  function settle(touched: Touched): void {
    for (const run of touched.runs) projection.refresh(run)
    for (const conversation of touched.conversations) projection.refreshConversation(conversation)
    tell(touched)
  }

  function tell({ records, facts: types, conversations, runs }: Touched): void {
    if (records.length === 0 && types.size === 0) return
    const ofConversations = sql.all<{ id: string }>`
      SELECT conversation_id AS id FROM conversations WHERE no IN (SELECT value FROM json_each(${JSON.stringify([...conversations])}))`
    const ofRuns = sql.all<{ id: string }>`
      SELECT run_id AS id FROM runs WHERE no IN (SELECT value FROM json_each(${JSON.stringify([...runs])}))`
    const arrivals: Arrivals = {
      records,
      facts: [...types],
      conversation_ids: ofConversations.map(({ id }) => id),
      run_ids: ofRuns.map(({ id }) => id),
    }
    store.afterCommit(() => ports.arrived(arrivals))
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
    retryAll() {
      retry(sql.all`SELECT change FROM sync_unread`)
      const runs = facts.reread()
      const conversations = sql.all<{ no: number }>`
        SELECT DISTINCT conversation AS no FROM runs WHERE no IN (SELECT value FROM json_each(${JSON.stringify(runs)}))`
      const ofSteps = runs.length === 0 ? [] : (['agent_run_steps'] as const)
      settle({ runs: new Set(runs), conversations: new Set(conversations.map(({ no }) => no)), facts: new Set(ofSteps), records: [] })
    },
    unread: () => Number(sql.get`SELECT count(*) AS count FROM sync_unread WHERE reason <> 'early'`?.count),
  }
}

function isRecordType(type: EntityType): type is RecordType {
  return entityTypes[type] !== 'append_only'
}

interface Touched {
  readonly records: { readonly entity_type: RecordType; readonly entity_id: string }[]
  readonly facts: Set<EntityType>
  readonly runs: Set<number>
  readonly conversations: Set<number>
}
