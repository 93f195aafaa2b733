// Deletes tombstones after a while; from then on, cursors before them are too old.
import { limits } from '@tandem/contract/limits'
import type { Database } from '../database/database.ts'
import { findUsersWithOldRows } from '../database/old-row-search.ts'
import { removeOldRows } from '../database/old-rows.ts'
import { forceIndexScans } from './store.ts'

const rowsAtOnce = 10_000

/** User by user: only the head of a user with old tombstones is locked. `now` is in milliseconds since 1970. */
export async function purgeTombstones(database: Pick<Database, 'owner' | 'asUser'>, now: number, signal?: AbortSignal): Promise<void> {
  const before = now - limits.tombstone_ms
  await removeOldRows(
    {
      find: (except) =>
        findUsersWithOldRows(database.owner, { table: 'sync_entities', column: 'stamp', before, only: "op = 'delete'", except }),
      remove: (userId) => purgeUser(database, userId, before, signal),
    },
    signal,
  )
}

/** The number of rows per transaction, oldest first, so that no push waits long for the head. */
async function purgeUser(database: Pick<Database, 'asUser'>, userId: string, before: number, signal?: AbortSignal): Promise<void> {
  let purged: number
  do {
    purged = await database.asUser(userId, async (sql) => {
      const [, , [row]] = await Promise.all([
        forceIndexScans(sql),
        sql`select from tandem.sync_heads where user_id = ${userId} for update`,
        sql<[{ count: number }]>`
          with old as (
            select stamp, ord from tandem.sync_entities
            where user_id = ${userId} and op = 'delete' and stamp < ${before} order by stamp limit ${rowsAtOnce}
          ), gone as (
            delete from tandem.sync_entities entity using old
            where entity.user_id = ${userId} and entity.stamp = old.stamp and entity.ord = old.ord returning entity.stamp, octet_length(entity.record) as bytes
          ), raised as (
            update tandem.sync_heads set purged_ts = greatest(purged_ts, (select max(stamp) from gone)),
              bytes = bytes - (select coalesce(sum(bytes), 0) from gone)
            where user_id = ${userId} and exists (select from gone)
          )
          select count(*)::integer as count from gone`,
      ])
      return row.count
    })
  } while (purged === rowsAtOnce && !signal?.aborted)
}
