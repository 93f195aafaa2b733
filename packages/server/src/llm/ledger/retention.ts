import type { Database } from '../../database/database.ts'
import { usersIn } from '../../database/user-ids.ts'
import { monthOf } from './month.ts'
import { deleteCallsBefore, deleteMonthsBefore } from './store.ts'

/** A year, and some time to review it. */
export const retentionMs = 400 * 24 * 60 * 60 * 1_000

/** Small enough for one statement to stay far below its timeout. */
const atOnce = 5_000

/** Deletes old calls and the sums of old months, user by user. `now` is in milliseconds since 1970. */
export async function expireModelCalls(
  { owner }: Pick<Database, 'owner'>,
  now: number,
  { signal, most = atOnce }: { signal?: AbortSignal; most?: number } = {},
): Promise<void> {
  const firstKept = new Date(now - retentionMs).toISOString()
  // By the sums: a user has one as long as there are calls.
  for await (const userId of usersIn(owner, 'tandem.model_months', signal)) {
    while ((await deleteCallsBefore(owner, userId, firstKept, most)) === most);
    await deleteMonthsBefore(owner, userId, monthOf(now - retentionMs))
  }
}
