// Statements on the append-only history of a user: what is too old, and its deletion. Such rows never change, and no row gets an older stamp.
import { entityTypes } from '@tandem/contract/sync'
import type { Sql, TransactionSql } from 'postgres'
import { type FoundUsers, findUsersWithOldRows } from '../database/old-row-search.ts'
import { forceIndexScans } from './store.ts'

const appendOnly = Object.entries(entityTypes).flatMap(([name, rule]) => (rule === 'append_only' ? [name] : []))

export interface HistoryPart {
  /** The records, one per line, oldest first. */
  readonly text: string
  readonly rows: number
  /** Stamps of the first and the last row. */
  readonly first: number
  readonly last: number
}

/** Users whose history may begin before `time`, without those of `except`. */
export function usersWithHistoryBefore(owner: Sql, time: number, except: readonly string[]): Promise<FoundUsers> {
  return findUsersWithOldRows(owner, { table: 'sync_heads', column: 'history_ts', before: time, except })
}

/**
 * The oldest rows before `time`, of about `maxBytes`; undefined if there are none. Ends at the end of a stamp, so that everything up to
 * `last` is in it.
 */
export async function readHistory(sql: TransactionSql, userId: string, time: number, maxBytes: number): Promise<HistoryPart | undefined> {
  const [, [row]] = await Promise.all([
    forceIndexScans(sql),
    sql<[{ text: string | null; rows: number; first: number; last: number }]>`
      with looked as (
        select stamp, ord, octet_length(record) as bytes from tandem.sync_entities
        where user_id = ${userId} and stamp < ${time} and op = 'upsert' and entity_type = any(${appendOnly}::text[])
        order by stamp, ord limit 10000
      ), sums as (
        select stamp, sum(bytes) over (order by stamp, ord rows unbounded preceding) as bytes from looked
      ), edge as materialized (
        select coalesce(min(stamp) filter (where bytes >= ${maxBytes}), max(stamp)) as last from sums
      )
      select string_agg(record, chr(10) order by stamp, ord) as text, count(*)::integer as rows, min(stamp)::float8 as first,
        max(stamp)::float8 as last
      from tandem.sync_entities
      where user_id = ${userId} and stamp <= (select last from edge) and op = 'upsert' and entity_type = any(${appendOnly}::text[])`,
  ])
  const { text, ...part } = row
  return text === null ? undefined : { text: `${text}\n`, ...part }
}

/** Deletes the rows of a part. Throws if they are not those that were read, so that nothing is deleted that was not exported. */
export async function deleteHistory(sql: TransactionSql, userId: string, { rows, last }: HistoryPart): Promise<void> {
  await forceIndexScans(sql)
  await sql`select from tandem.sync_heads where user_id = ${userId} for update`
  const gone = await sql<{ bytes: number }[]>`
    delete from tandem.sync_entities
    where user_id = ${userId} and stamp <= ${last} and op = 'upsert' and entity_type = any(${appendOnly}::text[])
    returning octet_length(record) as bytes`
  if (gone.length !== rows) throw new Error(`${gone.length} rows of the history are older than ${last}, not ${rows} as exported`)
  const bytes = gone.reduce((sum, row) => sum + row.bytes, 0)
  await sql`update tandem.sync_heads set bytes = greatest(0, bytes - ${bytes}) where user_id = ${userId}`
}

/**
 * Records where the history of a user begins, after everything before `time` was exported: until that becomes old, no search finds the user
 * again. Without any history it begins at `now`: later rows get later stamps.
 */
export async function markHistory(sql: TransactionSql, userId: string, time: number, now: number): Promise<void> {
  await Promise.all([
    forceIndexScans(sql),
    // No push commits a row between the search and the mark.
    sql`select from tandem.sync_heads where user_id = ${userId} for update`,
    sql`
      update tandem.sync_heads set history_ts = coalesce((
        select stamp from tandem.sync_entities
        where user_id = ${userId} and stamp >= ${time} and op = 'upsert' and entity_type = any(${appendOnly}::text[])
        order by stamp limit 1), ${now}::bigint)
      where user_id = ${userId}`,
  ])
}
