import { limits } from '@tandem/contract/limits'
import type { Database } from '../database/database.ts'
import { removeOldRows } from '../database/old-rows.ts'
import { firstIdOf } from './batch-id.ts'
import { deleteLogsBefore, usersWithLogsBefore } from './store.ts'

/** Small enough for one statement to stay far below its timeout. */
const atOnce = 5_000

/** A user has old records again every hour: only one whose oldest is this much older is visited, about once a day. */
const slackMs = 24 * 60 * 60 * 1_000

/**
 * Deletes old records, user by user. Their age counts from when they were received: a wrong clock of a device can neither keep a record
 * forever nor delete it on arrival.
 */
export async function expireLogs(
  { owner }: Pick<Database, 'owner'>,
  now: number,
  signal?: AbortSignal,
  most: number = atOnce,
): Promise<void> {
  const firstKept = firstIdOf(now - limits.log_retention_ms)
  const due = firstIdOf(now - limits.log_retention_ms - slackMs)
  await removeOldRows(
    {
      find: (except) => usersWithLogsBefore(owner, due, except),
      async remove(userId) {
        while ((await deleteLogsBefore(owner, userId, firstKept, most)) === most && !signal?.aborted);
      },
    },
    signal,
  )
}
