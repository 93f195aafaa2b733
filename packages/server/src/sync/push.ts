// A push: one transaction that locks the user's head, merges the changes into the stored entities and writes the result with one stamp.
import { limits } from '@tandem/contract/limits'
import type { PushRequest } from '@tandem/contract/sync'
import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { type ChangeResult, readChange } from './change.ts'
import { type ChangeVerdict, type EntityKey, type FoldResult, fold, type ReturnedEntity, type StoredEntity } from './fold.ts'
import { createHead, lockHead, readRecords, readStored, toTimestamp, writeRows } from './store.ts'

export interface PushPorts extends Pick<Services, 'database' | 'hub' | 'now'> {
  readonly devices: PushDevices
  /** The maximum bytes of the records of one account. */
  readonly max_record_bytes: number
}

export interface PushDevices {
  /** A condition within a statement. */
  isKnown(sql: TransactionSql, userId: string, deviceId: string): PendingQuery<Row[]>
  register(sql: TransactionSql, userId: string, deviceId: string): Promise<void>
}

/** Small changes to large entities must not make the size of a reply, or a stamp, unbounded. */
const carriedBytes = 2 * limits.pull_page_bytes
/** Above this size an entity with many changes is not returned with each of them. */
const repeatedBytes = 1024 * 1024

/** The reply as JSON text: winners and unions are sent as stored. */
export async function push(ports: PushPorts, userId: string, { device_id, changes }: PushRequest): Promise<string> {
  const server_ts = toTimestamp(ports.now())
  const readings = changes.map((change) => readChange(change, device_id, server_ts))
  const { folded, records, head, epoch } = await ports.database.asUser(
    userId,
    (sql) => settle(sql, ports, { userId, device_id, readings }),
    'by_index',
  )

  const cursor_ts = toTimestamp(head)
  if (folded.rows.length > 0) {
    const entity_types = [...new Set(folded.rows.map(({ entity }) => entity.entity_type))]
    ports.hub.tell(userId, { type: 'sync.changed', cursor_ts, entity_types, device_id })
  }
  const verdicts = folded.judgements.map((judgement, index) => verdictText(index, changes[index], judgement, records.get(index)))
  return `{"verdicts":[${verdicts.join(',')}],${JSON.stringify({ cursor_ts, server_ts, epoch }).slice(1)}`
}

interface Settled {
  readonly folded: FoldResult
  /** The records in the reply, by the index of their verdict. */
  readonly records: ReadonlyMap<number, string>
  /** The user's head after the push. */
  readonly head: number
  /** Of the history that the rows were written to. */
  readonly epoch: string
}

async function settle(
  sql: TransactionSql,
  ports: PushPorts,
  { userId, device_id, readings }: { userId: string; device_id: string; readings: readonly ChangeResult[] },
): Promise<Settled> {
  const keys = keysOf(readings)
  // Sent together, executed in order: reads happen under the lock.
  const lockAndRead = () =>
    Promise.all([
      lockHead(sql, userId, ports.devices.isKnown(sql, userId, device_id)),
      keys.length === 0 ? [] : readStored(sql, userId, keys, carriedBytes),
    ])
  let [locked, places] = await lockAndRead()
  if (!locked) {
    await createHead(sql, userId)
    // Another first push may have been faster: what was read without the lock does not count.
    ;[locked, places] = await lockAndRead()
  }
  if (!locked) throw new Error('the head of a user does not exist after it was created')
  const { stamp: before, clock, bytes, epoch } = locked
  if (!locked.knows_device) await ports.devices.register(sql, userId, device_id)
  const stored = storedByKey(keys, places)
  const folded = fold(stored, readings, carriedBytes, ports.max_record_bytes - bytes)
  if (folded === 'too_much') throw tooMuch()
  const { rows } = folded
  const carried = bytesOf(folded.carried, stored) <= repeatedBytes ? folded.carried : once(folded.carried)
  if (bytesOf(carried, stored) > carriedBytes) throw tooMuch()
  const unread = carried.filter(({ record }) => record === undefined).map(({ entity }) => entity)

  const stamp = Math.max(clock, before + 1)
  const [winners] = await Promise.all([
    unread.length === 0 ? new Map<string, string>() : readRecords(sql, userId, unread),
    rows.length === 0 ? undefined : writeRows(sql, { userId, stamp, grown: folded.grown }, rows),
  ])
  const records = new Map(
    carried.flatMap(({ indexes, entity, record }) => indexes.map((index) => [index, record ?? winnerOf(winners, entity.key)] as const)),
  )
  return { folded, records, head: rows.length === 0 ? before : stamp, epoch }
}

function keysOf(readings: readonly ChangeResult[]): EntityKey[] {
  const keys = new Map<string, EntityKey>()
  for (const reading of readings) if (reading.ok) keys.set(reading.incoming.key, reading.incoming)
  return [...keys.values()]
}

function storedByKey(keys: readonly EntityKey[], places: readonly (StoredEntity | undefined)[]): Map<string, StoredEntity> {
  const stored = new Map<string, StoredEntity>()
  for (const [index, one] of places.entries()) {
    const entity = keys[index]
    if (!one || !entity) continue
    if (entity.entity_type === 'todos' && !one.todos) throw tooMuch()
    stored.set(entity.key, one)
  }
  return stored
}

/** If many changes affect one large entity, only the last verdict contains it; if each affects its own, nothing is omitted. */
function once(carried: readonly ReturnedEntity[]): readonly ReturnedEntity[] {
  return carried.filter(({ sent }) => !sent).map((one) => ({ ...one, indexes: one.indexes.slice(-1) }))
}

function bytesOf(carried: readonly ReturnedEntity[], stored: ReadonlyMap<string, StoredEntity>): number {
  return carried.reduce((sum, { indexes, entity, record }) => {
    const bytes = record === undefined ? (stored.get(entity.key)?.bytes ?? 0) : Buffer.byteLength(record)
    return sum + bytes * indexes.length
  }, 0)
}

function winnerOf(winners: ReadonlyMap<string, string>, key: string): string {
  const record = winners.get(key)
  if (record === undefined) throw new Error(`${key} is stored, but its record was not read`)
  return record
}

function tooMuch() {
  return refuse(
    'payload_too_large',
    `the stored entities that these changes affect have more than ${carriedBytes} bytes in total: send fewer changes at once`,
  )
}

/** The verdict on one change as JSON text. `record` is that of the entity, if this verdict contains it. */
function verdictText(index: number, change: unknown, judgement: ChangeVerdict, record: string | undefined): string {
  const marks = { index, entity_id: idOf(change), verdict: judgement.verdict }
  switch (judgement.verdict) {
    case 'applied':
    case 'duplicate':
      return JSON.stringify(marks)
    case 'merged':
      return withText(marks, 'result', record)
    case 'stale':
      return withText(marks, 'winner', record)
    case 'rejected': {
      const { code, message, server_ts } = judgement
      return JSON.stringify({ ...marks, code, message, ...(server_ts !== undefined && { server_ts }) })
    }
  }
}

function withText(marks: object, name: string, json: string | undefined): string {
  const text = JSON.stringify(marks)
  return json === undefined ? text : `${text.slice(0, -1)},"${name}":${json}}`
}

/** A rejected change may have any id, or none. */
function idOf(change: unknown): string {
  return typeof change === 'object' && change !== null && 'entity_id' in change && typeof change.entity_id === 'string'
    ? change.entity_id.slice(0, 200)
    : ''
}
