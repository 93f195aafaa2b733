import { type LogListQuery, type LogRecord, levelsFrom, type StoredLogRecord } from '@tandem/contract/log'
import type { Sql, TransactionSql } from 'postgres'
import { type FoundUsers, findUsersWithOldRows } from '../database/old-row-search.ts'
import { searchPattern } from '../database/text-search.ts'
import { pageBytes, timeCursor } from '../http/page.ts'

interface LogRow {
  id: string
  received_at: Date
  ts: Date
  level: LogRecord['level']
  message: string
  device_id: string | null
  source: string | null
  run_id: string | null
  fields: string
}

/** One statement for any number of records. Without `on conflict`, Citus would turn it into COPY, which row-level security forbids. */
export async function insertLogs(sql: TransactionSql, userId: string, records: readonly StoredLogRecord[]): Promise<void> {
  const column = <Value>(pick: (record: StoredLogRecord) => Value) => records.map(pick)
  const { count } = await sql`
    insert into tandem.log_records (user_id, id, ts, received_at, level, message, device_id, source, run_id, fields)
    select ${userId}::uuid, * from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ ts }) => ts)}::timestamptz[],
      ${column(({ received_at }) => received_at)}::timestamptz[],
      ${column(({ level }) => level)}::text[],
      ${column(({ message }) => message)}::text[],
      ${column(({ device_id }) => device_id ?? null)}::text[],
      ${column(({ source }) => source ?? null)}::text[],
      ${column(({ run_id }) => run_id ?? null)}::uuid[],
      ${column(({ fields }) => JSON.stringify(fields))}::text[])
    on conflict (user_id, id) do nothing`
  if (count !== records.length) throw new Error(`${records.length - count} log records have an id that is already used`)
}

/** How many records a search reads before it returns what it has: it has no index except for the time. */
export const searchBatchSize = 10_000

interface FoundLogs {
  readonly records: StoredLogRecord[]
  /** Up to one more than the page size; includes those that `pageBytes` excluded. */
  readonly found: number
  /** Where a search stopped before the end of the records. */
  readonly searched_to?: { readonly ts: string; readonly id: string }
}

/** Newest first. */
export async function listLogs(sql: TransactionSql, userId: string, query: LogListQuery, size: number): Promise<FoundLogs> {
  const { level, since, until, device_id, source, run_id, q } = query
  const after = timeCursor('logs', query.cursor)
  const columns = sql`id, received_at, ts, level, message, device_id, source, run_id, fields`
  const newest = sql`
    from tandem.log_records
    where user_id = ${userId}
      ${since === undefined ? sql`` : sql`and ts >= ${since}::timestamptz`}
      ${until === undefined ? sql`` : sql`and ts < ${until}::timestamptz`}
      ${after === undefined ? sql`` : sql`and (ts, id) < (${after.ts}::timestamptz, ${after.id}::uuid)`}
    order by ts desc, id desc`
  const searching = [level, device_id, source, run_id, q].some((filter) => filter !== undefined)
  const page = searching
    ? sql`
      select ${columns} from (select ${columns} ${newest} limit ${searchBatchSize}) looked_at
      where true
        ${level === undefined ? sql`` : sql`and level = any(${levelsFrom(level)}::text[])`}
        ${device_id === undefined ? sql`` : sql`and device_id = ${device_id}`}
        ${source === undefined ? sql`` : sql`and source = ${source}`}
        ${run_id === undefined ? sql`` : sql`and run_id = ${run_id}`}
        ${q === undefined ? sql`` : sql`and message collate "C" ~ ${searchPattern(q)}`}
      order by ts desc, id desc limit ${size + 1}`
    : sql`select ${columns} ${newest} limit ${size + 1}`
  const rows = await sql<(LogRow & { found: number })[]>`
    with page as (${page}), weighed as (
      select page.*, count(*) over ()::integer as found, row_number() over newest as place,
        sum(octet_length(message) + octet_length(fields)) over newest as bytes
      from page window newest as (order by ts desc, id desc)
    )
    select ${columns}, found from weighed where place = 1 or bytes <= ${pageBytes} order by ts desc, id desc`
  const found = rows[0]?.found ?? 0
  const records = rows.map(recordOf)
  if (!searching || found > size) return { records, found }
  const [last] = await sql<{ ts: Date; id: string }[]>`select ts, id ${newest} offset ${searchBatchSize - 1} limit 1`
  return last ? { records, found, searched_to: { ts: last.ts.toISOString(), id: last.id } } : { records, found }
}

/** Users with records received before `firstId`, without those of `except`. */
export function usersWithLogsBefore(owner: Sql, firstId: string, except: readonly string[]): Promise<FoundUsers> {
  return findUsersWithOldRows(owner, { table: 'log_records', column: 'id', before: firstId, except })
}

/** Deletes at most `most` of a user's records received before `firstId`; returns how many. */
export async function deleteLogsBefore(owner: Sql, userId: string, firstId: string, most: number): Promise<number> {
  const { count } = await owner`
    delete from tandem.log_records
    where user_id = ${userId} and id in (
      select id from tandem.log_records where user_id = ${userId} and id < ${firstId} order by id limit ${most})`
  return count
}

function recordOf(row: LogRow): StoredLogRecord {
  return {
    id: row.id,
    received_at: row.received_at.toISOString(),
    ts: row.ts.toISOString(),
    level: row.level,
    message: row.message,
    ...(row.device_id === null ? {} : { device_id: row.device_id }),
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.run_id === null ? {} : { run_id: row.run_id }),
    fields: JSON.parse(row.fields) as LogRecord['fields'],
  }
}
