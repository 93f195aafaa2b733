// A creating call that is sent twice creates one item. The key is stored in the same transaction as the item.
import { createHash } from 'node:crypto'
import { limits } from '@tandem/contract/limits'
import { canonicalJson } from '@tandem/contract/sync'
import type { TransactionSql } from 'postgres'
import type { Database } from '../database/database.ts'
import { findUsersWithOldRows } from '../database/old-row-search.ts'
import { removeOldRows } from '../database/old-rows.ts'
import { refuse } from './refusal.ts'

export interface StoredReply<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
}

/**
 * Runs `work` the first time and repeats its response afterwards. Of two concurrent calls, the second waits for the first one's row, then
 * repeats its response. Without a key it only runs.
 */
export async function runIdempotently<Status extends number, Body>(
  sql: TransactionSql,
  call: { user_id: string; key: string | undefined; route: string; request: unknown },
  work: () => Promise<StoredReply<Status, Body>>,
): Promise<StoredReply<Status, Body>> {
  if (call.key === undefined) return await work()
  const hash = createHash('sha256')
    .update(`${call.route} ${canonicalJson(call.request)}`)
    .digest('hex')
  const taken = await sql`
    insert into tandem.idempotency_keys (user_id, key, request_hash) values (${call.user_id}, ${call.key}, ${hash})
    on conflict (user_id, key) do nothing returning key`
  if (taken.length === 0) return await repeat(sql, call.user_id, call.key, hash)
  const reply = await work()
  await sql`
    update tandem.idempotency_keys set status = ${reply.status}, reply = ${JSON.stringify(reply.body)}
    where user_id = ${call.user_id} and key = ${call.key}`
  return reply
}

/** Retention: deletes old keys, user by user. */
export async function expireIdempotencyKeys({ owner }: Database, now: number, signal?: AbortSignal): Promise<void> {
  const before = new Date(now - limits.idempotency_key_ms)
  await removeOldRows(
    {
      find: (except) =>
        findUsersWithOldRows(owner, { table: 'idempotency_keys', column: 'created_at', before: before.toISOString(), except }),
      async remove(userId) {
        await owner`delete from tandem.idempotency_keys where user_id = ${userId} and created_at < ${before}`
      },
    },
    signal,
  )
}

async function repeat<Status extends number, Body>(
  sql: TransactionSql,
  userId: string,
  key: string,
  hash: string,
): Promise<StoredReply<Status, Body>> {
  const [row] = await sql<{ request_hash: string; status: Status; reply: string }[]>`
    select request_hash, status, reply from tandem.idempotency_keys where user_id = ${userId} and key = ${key}`
  if (!row || row.request_hash !== hash) {
    throw refuse('idempotency_key_reused', `the key ${key} was already used for a different request`)
  }
  return { status: row.status, body: JSON.parse(row.reply) as Body }
}
