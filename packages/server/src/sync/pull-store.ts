// A page of a pull, as PostgreSQL puts it together.
import { limits } from '@tandem/contract/limits'
import type { TransactionSql } from 'postgres'

export interface PageQuery {
  /** The page begins after this stamp. */
  readonly cursor: number
  readonly limit: number
  readonly entity_types: readonly string[] | null
  /** Leave out what this device wrote itself, unions apart. */
  readonly not_from: string | null
}

export interface Page {
  /** The records, as text that goes between the brackets of a JSON array; the bytes as PostgreSQL sent them. */
  readonly records: Buffer
  /** The stamp the page ends with; null when no row lies past the cursor. */
  readonly last: number | null
  readonly has_more: boolean
  readonly head: number
  readonly purged: number
  /** Names the history of the database that the page was read from. */
  readonly epoch: string
}

/**
 * One statement, so one moment. `looked` are the first `limit` rows past the cursor; the page is full at the last of them, or at the one
 * with which it reaches `pull_page_bytes`, and goes on to the end of that row's stamp: a cursor can not point inside one. What the filters
 * leave out counts like any other row. Looking carries no records along: they are read once it is known where the page ends, in the order
 * of the index, and go nowhere but into their text.
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
  // A page is hundreds of kilobytes: made a text here, it would only be made bytes again.
  const [records, page] = row ?? []
  return { ...JSON.parse(String(page)), records: records instanceof Buffer ? records : Buffer.alloc(0) }
}
