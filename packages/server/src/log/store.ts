import { type LogListQuery, type LogRecord, levelsFrom, type StoredLogRecord } from '@tandem/contract/log'
import type { Sql, TransactionSql } from 'postgres'
import { timeCursor } from '../http/page.ts'

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

/** One statement, however many records. */
export async function insertLogs(sql: TransactionSql, userId: string, records: readonly StoredLogRecord[]): Promise<void> {
  const column = <Value>(pick: (record: StoredLogRecord) => Value) => records.map(pick)
  await sql`
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
      ${column(({ fields }) => JSON.stringify(fields))}::text[])`
}

/** The newest comes first; one more than `size`, if there is one. */
export async function listLogs(sql: TransactionSql, userId: string, query: LogListQuery, size: number): Promise<StoredLogRecord[]> {
  const { level, since, until, device_id, source, run_id, q } = query
  const after = timeCursor(query.cursor)
  const rows = await sql<LogRow[]>`
    select id, received_at, ts, level, message, device_id, source, run_id, fields from tandem.log_records
    where user_id = ${userId}
      ${level === undefined ? sql`` : sql`and level = any(${levelsFrom(level)}::text[])`}
      ${since === undefined ? sql`` : sql`and ts >= ${since}::timestamptz`}
      ${until === undefined ? sql`` : sql`and ts < ${until}::timestamptz`}
      ${device_id === undefined ? sql`` : sql`and device_id = ${device_id}`}
      ${source === undefined ? sql`` : sql`and source = ${source}`}
      ${run_id === undefined ? sql`` : sql`and run_id = ${run_id}`}
      ${q === undefined ? sql`` : sql`and strpos(lower(message), lower(${q})) > 0`}
      ${after === undefined ? sql`` : sql`and (ts, id) < (${after.ts}::timestamptz, ${after.id}::uuid)`}
    order by ts desc, id desc
    limit ${size + 1}`
  return rows.map(recordOf)
}

/** At most `most` of a user's records received before the one that `firstId` could be; says how many. */
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
