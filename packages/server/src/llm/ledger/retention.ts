import type { Database } from '../../database/database.ts'
import { removeOldRows } from '../../database/old-rows.ts'
import { monthOf } from './month.ts'
import { deleteCallsBefore, deleteMonthsBefore, usersWithCallsBefore, usersWithMonthsBefore } from './store.ts'

/** A year, and some time to review it. */
export const retentionMs = 400 * 24 * 60 * 60 * 1_000

/** A user has old calls again every hour: only one whose oldest is this much older is visited, about once a day. */
const slackMs = 24 * 60 * 60 * 1_000

/** Small enough for one statement to stay far below its timeout. */
const atOnce = 5_000

/** Deletes old calls and the sums of old months, user by user. `now` is in milliseconds since 1970. */
export async function expireModelCalls(
  { owner }: Pick<Database, 'owner'>,
  now: number,
  { signal, most = atOnce }: { signal?: AbortSignal; most?: number } = {},
): Promise<void> {
  const firstKept = new Date(now - retentionMs).toISOString()
  const due = new Date(now - retentionMs - slackMs).toISOString()
  const firstMonth = monthOf(now - retentionMs)
  const calls = removeOldRows(
    {
      find: (except) => usersWithCallsBefore(owner, due, except),
      async remove(userId) {
        while ((await deleteCallsBefore(owner, userId, firstKept, most)) === most && !signal?.aborted);
      },
    },
    signal,
  )
  // Also if some calls could not be deleted.
  const [ofCalls] = await Promise.allSettled([calls])
  await removeOldRows(
    {
      find: (except) => usersWithMonthsBefore(owner, firstMonth, except),
      remove: (userId) => deleteMonthsBefore(owner, userId, firstMonth),
    },
    signal,
  )
  if (ofCalls.status === 'rejected') throw ofCalls.reason
}
