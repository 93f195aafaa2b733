// The rows of pushes and pulls, and the stamps that order them. Each function is one statement, for any size of a push or a page.
//
// A stamp is milliseconds since 1970; on the wire it is a timestamp. Both are equivalent, so a cursor survives a `Date`.
import { limits } from '@tandem/contract/limits'
import type { EntityWrite } from '@tandem/contract/sync'
import type { PendingQuery, Row, TransactionSql } from 'postgres'
import { byIndexText } from '../database/database.ts'
import { areMergeable } from './change.ts'
import type { EntityKey, EntityRow, StoredEntity } from './fold.ts'

/** Before the first write. A pull from here is a full pull. */
export const beginning = 0

export function toTimestamp(stamp: number): string {
  return new Date(stamp).toISOString()
}

/** Times before 1970 count as the beginning too. */
export function toStamp(timestamp: string): number {
  return Math.max(beginning, Date.parse(timestamp))
}

/** For a transaction that did not begin with the plan `by_index`. */
export async function forceIndexScans(sql: TransactionSql): Promise<void> {
  await sql.unsafe(byIndexText)
}

/** Creates the row that pushes of a user lock, for the first push. */
export async function createHead(sql: TransactionSql, userId: string): Promise<void> {
  await sql`insert into tandem.sync_heads (user_id) values (${userId}) on conflict do nothing`
}

interface Head {
  readonly stamp: number
  readonly clock: number
  /** Bytes of all records of the user. */
  readonly bytes: number
  /** Identifies the history of the database that this transaction belongs to. */
  readonly epoch: string
  readonly knows_device: boolean
}

/**
 * From here to the commit no other push of this user writes. Each later statement sees everything committed before. Undefined if there is no
 * head yet.
 */
export async function lockHead(sql: TransactionSql, userId: string, isKnownDevice: PendingQuery<Row[]>): Promise<Head | undefined> {
  const [head] = await sql<Head[]>`
    select stamp::float8 as stamp, bytes::float8 as bytes, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as clock,
      (select label from tandem.server_epoch where only_row) as epoch, ${isKnownDevice} as knows_device
    from tandem.sync_heads where user_id = ${userId} for update`
  return head
}

interface StoredRow {
  readonly place: number
  readonly op: EntityWrite['op']
  readonly version: number
  readonly updated_at: string
  readonly device_id: string
  readonly content_hash: string
  readonly bytes: number
  readonly record: string | null
}

/** In the order of `keys`. Includes the records of `todos` up to `maxBytes` in total. */
export async function readStored(
  sql: TransactionSql,
  userId: string,
  keys: readonly EntityKey[],
  maxBytes: number,
): Promise<(StoredEntity | undefined)[]> {
  const { types, ids } = columnsOf(keys)
  const records = keys.some(({ entity_type }) => entity_type === 'todos')
    ? sql`case when entity_type = 'todos' and sum(bytes) filter (where entity_type = 'todos') over () <= ${maxBytes} then record end`
    : sql`null::text`
  // Lateral: one primary key lookup per key, however many entities the user has.
  const rows = await sql<StoredRow[]>`
    select place, op, version, updated_at, device_id, content_hash, bytes, ${records} as record
    from unnest(string_to_array(${types}, chr(30)), string_to_array(${ids}, chr(30))) with ordinality as sent (type, id, number)
    cross join lateral (
      select number::integer - 1 as place, entity_type, op, version::float8 as version, updated_at, device_id, content_hash,
        octet_length(record) as bytes, record
      from tandem.sync_entities where user_id = ${userId} and entity_type = type and entity_id = id offset 0) stored
    ${keys.length < many ? sql`` : sql`where ${meetsAny(sql, userId, keys)}`}`
  const places: (StoredEntity | undefined)[] = keys.map(() => undefined)
  for (const row of rows) places[row.place] = storedOf(row)
  return places
}

/** From this many keys on, it pays to check first whether there is any row between them. */
const many = 32

/**
 * Whether there is a row between the first and the last id of each type. Devices create ids in the order of time, so the ids of new
 * entities are usually in an empty range: one lookup per type shows it and saves those per key.
 */
function meetsAny(sql: TransactionSql, userId: string, keys: readonly EntityKey[]) {
  const spans = new Map<string, { type: string; low: string; high: string }>()
  for (const { entity_type: type, entity_id: id } of keys) {
    const span = spans.get(type)
    if (!span) spans.set(type, { type, low: id, high: id })
    else if (id < span.low) span.low = id
    else if (id > span.high) span.high = id
  }
  const all = [...spans.values()]
  return sql`exists (
    select from unnest(string_to_array(${joined(all, ({ type }) => type)}, chr(30)), string_to_array(${joined(all, ({ low }) => low)}, chr(30)),
      string_to_array(${joined(all, ({ high }) => high)}, chr(30))) as span (type, low, high)
    cross join lateral (
      select from tandem.sync_entities where user_id = ${userId} and entity_type = type and entity_id between low and high limit 1) met)`
}

/** The records of `keys`, by key. */
export async function readRecords(sql: TransactionSql, userId: string, keys: readonly EntityKey[]): Promise<Map<string, string>> {
  const { types, ids } = columnsOf(keys)
  const rows = await sql<{ key: string; record: string }[]>`
    select type || ' ' || id as key, record
    from unnest(string_to_array(${types}, chr(30)), string_to_array(${ids}, chr(30))) as sent (type, id)
    cross join lateral (
      select record from tandem.sync_entities where user_id = ${userId} and entity_type = type and entity_id = id offset 0) stored`
  return new Map(rows.map(({ key, record }) => [key, record]))
}

/**
 * The rows and the head in one statement. Under the lock of the head no one else adds a row, so it is known which are new:
 * inserting those without conflict checks costs PostgreSQL a third less. `returning`, because Citus would turn an insert from a query
 * without it into COPY, which row-level security forbids.
 */
export async function writeRows(
  sql: TransactionSql,
  { userId, stamp, grown }: { userId: string; stamp: number; grown: number },
  rows: readonly EntityRow[],
): Promise<void> {
  // In the select list, not after `from`: there PostgreSQL would first materialize each column, including records.
  const sent = (some: readonly EntityRow[]) => sql`(
    select
      unnest(string_to_array(${joined(some, ({ entity }) => entity.write.version)}, chr(30))::bigint[]) as version,
      unnest(string_to_array(${joined(some, ({ ord }) => ord)}, chr(30))::integer[]) as ord,
      unnest(string_to_array(${joined(some, ({ merged }) => merged)}, chr(30))::boolean[]) as merged,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.write.op)}, chr(30))) as op,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.entity_type)}, chr(30))) as type,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.entity_id)}, chr(30))) as id,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.write.updated_at)}, chr(30))) as updated_at,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.write.device_id)}, chr(30))) as device_id,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.write.content_hash)}, chr(30))) as content_hash,
      unnest(string_to_array(${joined(some, ({ entity }) => entity.record)}, chr(30))) as record
    ) as sent`
  const inserted = (some: readonly EntityRow[]) => sql`inserted as (
    insert into tandem.sync_entities
      (user_id, stamp, version, ord, merged, op, entity_type, entity_id, updated_at, device_id, content_hash, record)
    select ${userId}, ${stamp}, version, ord, merged, op, type, id, updated_at, device_id, content_hash, record
    from ${sent(some)} returning 1)`
  const updated = (some: readonly EntityRow[]) => sql`updated as (
    update tandem.sync_entities entity set
      stamp = ${stamp}, version = sent.version, ord = sent.ord, merged = sent.merged, op = sent.op, updated_at = sent.updated_at,
      device_id = sent.device_id, content_hash = sent.content_hash, record = sent.record
    from ${sent(some)} where user_id = ${userId} and entity_type = sent.type and entity_id = sent.id)`

  const fresh = rows.filter(({ known }) => !known)
  const known = rows.filter((row) => row.known)
  const writes = known.length === 0 ? inserted(fresh) : fresh.length === 0 ? updated(known) : sql`${inserted(fresh)}, ${updated(known)}`
  await sql`with ${writes} update tandem.sync_heads set stamp = ${stamp}, bytes = bytes + ${grown} where user_id = ${userId}`
}

// Each column is sent as one text: JSON, keys and times contain no control characters, so nothing needs escaping.
const separator = '\u001e'

function joined<Item>(items: readonly Item[], value: (item: Item) => string | number | boolean): string {
  return items.map(value).join(separator)
}

function columnsOf(keys: readonly EntityKey[]): { types: string; ids: string } {
  return { types: joined(keys, ({ entity_type }) => entity_type), ids: joined(keys, ({ entity_id }) => entity_id) }
}

function storedOf({ op, version, updated_at, device_id, content_hash, bytes, record }: StoredRow): StoredEntity {
  const write: EntityWrite = { op, version, updated_at, device_id, content_hash }
  if (record === null) return { write, bytes }
  const { source_ts, payload } = JSON.parse(record)
  // Other fields that an older version allowed besides the items are kept, unread.
  const { todos } = payload
  if (!areMergeable({ todos })) throw new Error('a stored todos record has no items')
  return { write: { ...write, todos }, bytes, todos: { source_ts, record } }
}

export interface PageQuery {
  /** The page starts after this stamp. */
  readonly cursor: number
  readonly limit: number
  readonly entity_types: readonly string[] | null
  /** Omit what this device wrote itself, except for unions. */
  readonly not_from: string | null
}

export interface Page {
  /** The records, as text for the inside of a JSON array; the bytes as PostgreSQL sent them. */
  readonly records: Buffer
  /** The last stamp of the page; null if there is no row after the cursor. */
  readonly last: number | null
  readonly has_more: boolean
  readonly head: number
  readonly purged: number
  /** Identifies the history of the database that the page was read from. */
  readonly epoch: string
}

/**
 * One statement, so one snapshot. `looked` are the first `limit` rows after the cursor; the page is full at the last of them, or at the one
 * with which it reaches `pull_page_bytes`, and continues to the end of that row's stamp: a cursor cannot point inside one. Rows that the
 * filters omit count like any other. This step does not load records: they are read when the end of the page is known, in the order
 * of the index, and are only concatenated.
 */
export async function readPage(sql: TransactionSql, userId: string, query: PageQuery): Promise<Page> {
  const [row] = await sql`
    with looked as (
      select stamp, ord, octet_length(record) as bytes from tandem.sync_entities
      where user_id = ${userId} and stamp > ${query.cursor} order by stamp, ord limit ${query.limit}
    ), sums as (
      select stamp, sum(bytes) over (order by stamp, ord rows unbounded preceding) as bytes from looked
    ), edge as materialized (
      select coalesce(min(stamp) filter (where bytes >= ${limits.pull_page_bytes}), max(stamp)) as last from sums
    ), head as (
      select coalesce(max(stamp), 0) as stamp, coalesce(max(purged_ts), 0) as purged from tandem.sync_heads where user_id = ${userId}
    )
    select
      (select string_agg(record, ',' order by stamp, ord) from tandem.sync_entities
        where user_id = ${userId} and stamp > ${query.cursor} and stamp <= (select last from edge)
          and (${query.entity_types}::text[] is null or entity_type = any(${query.entity_types}::text[]))
          and (${query.not_from}::text is null or merged or device_id <> ${query.not_from}::text)) as records,
      json_build_object(
        'last', last,
        'has_more', exists (select from tandem.sync_entities where user_id = ${userId} and stamp > last),
        'head', head.stamp,
        'purged', purged,
        'epoch', (select label from tandem.server_epoch where only_row)
      ) as page
    from edge, head`.raw()
  // A page is hundreds of kilobytes: decoded to a string here, it would only be encoded again.
  const [records, page] = row ?? []
  return { ...JSON.parse(String(page)), records: records instanceof Buffer ? records : Buffer.alloc(0) }
}
