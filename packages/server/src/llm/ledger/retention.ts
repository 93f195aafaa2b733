import type { Database } from '../../database/database.ts'
import { usersIn } from '../../database/users-in.ts'
import { monthOf } from './month.ts'
import { deleteCallsBefore, deleteMonthsBefore } from './store.ts'

/** A year and what a late look back at it needs. */
export const keptMs = 400 * 24 * 60 * 60 * 1_000

/** Small enough that one statement stays far below the time a statement may take. */
const atOnce = 5_000

/** Lets go of old calls and the sums of old months, user by user. `now` is in milliseconds since 1970. */
export async function expireModelCalls(
  { owner }: Pick<Database, 'owner'>,
  now: number,
  { signal, most = atOnce }: { signal?: AbortSignal; most?: number } = {},
): Promise<void> {
  const firstKept = new Date(now - keptMs).toISOString()
  // By the sums: a user has one for as long as there are calls.
  for await (const userId of usersIn(owner, 'tandem.model_months', signal)) {
    while ((await deleteCallsBefore(owner, userId, firstKept, most)) === most);
    await deleteMonthsBefore(owner, userId, monthOf(now - keptMs))
  }
}
