// Deletes what remains of a deleted account: its rows in all other tables and the bytes of its files.
//
// The account itself was deleted in one transaction, which also recorded it in `deleted_accounts`. Requests admitted earlier may write
// for a while: the data is deleted immediately, and again by retention until no access token of the account can be valid.
import { findUsersWithOldRows } from '../database/old-row-search.ts'
import { removeOldRows } from '../database/old-rows.ts'
import type { Services } from '../services.ts'

export type DeletionServices = Pick<Services, 'database' | 'blobs' | 'log' | 'now'>

/** Every table with rows of a user, except those of the account itself. */
export const dataTables = [
  'sync_entities',
  'sync_heads',
  'workflows',
  'tasks',
  'files',
  'log_records',
  'devices',
  'idempotency_keys',
  'model_calls',
  'model_months',
] as const

/** Longer than the lifetime of any access token, ours or a platform's, and the duration of any request. */
const stillWritingMs = 2 * 60 * 60 * 1_000
const atOnce = 5_000
/** Every deleted account is due, also one whose time is of a clock that is ahead. */
const dayMs = 24 * 60 * 60 * 1_000

export async function deleteData(services: DeletionServices, userId: string, signal?: AbortSignal): Promise<void> {
  const { owner } = services.database
  for (const table of dataTables) {
    const name = `tandem.${table}`
    for (let deleted = atOnce; deleted === atOnce && !signal?.aborted; ) {
      const rows = await owner`
        delete from ${owner(name)} where user_id = ${userId} and ctid = any (array(
          select ctid from ${owner(name)} where user_id = ${userId} limit ${atOnce}))`
      deleted = rows.count
    }
  }
  for await (const key of services.blobs.list(`${userId}/`)) {
    if (signal?.aborted) return
    await services.blobs.delete(key)
  }
}

/** The retention job. */
export async function finishDeletions(services: DeletionServices, signal?: AbortSignal): Promise<void> {
  const { owner } = services.database
  const before = new Date(services.now() + dayMs).toISOString()
  await removeOldRows(
    {
      find: (except) => findUsersWithOldRows(owner, { table: 'deleted_accounts', column: 'deleted_at', before, except }),
      remove: (userId) => finishDeletion(services, userId, signal),
    },
    signal,
  )
}

async function finishDeletion(services: DeletionServices, userId: string, signal?: AbortSignal): Promise<void> {
  const { owner } = services.database
  const [account] = await owner<{ deleted_at: Date }[]>`select deleted_at from tandem.deleted_accounts where user_id = ${userId}`
  if (!account) return
  const last = Number(account.deleted_at) < services.now() - stillWritingMs
  await deleteData(services, userId, signal)
  if (!last || signal?.aborted) return
  // Sessions are kept until here: they are used to refuse tokens that have not expired.
  await owner`delete from tandem.sessions where user_id = ${userId}`
  await owner`delete from tandem.api_keys where user_id = ${userId}`
  await owner`delete from tandem.users where user_id = ${userId}`
  await owner`delete from tandem.deleted_accounts where user_id = ${userId}`
}
