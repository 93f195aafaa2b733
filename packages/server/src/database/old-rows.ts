// Retention finds users by their old rows and deletes user by user: a user without any costs nothing.
import type { FoundUsers } from './old-row-search.ts'
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts'

/** After this many users in a row for which the database was too busy, the others are left for the next time, too. */
export const busyInARow = 10
/** How many users a search can leave out; it names each of them. */
const leftOutAtMost = 1_000

export interface OldRows {
  /** Users with old rows, without those of `except`; takes no locks. */
  find(except: readonly string[]): PromiseLike<FoundUsers>
  /** Deletes them; touches only rows of this user. */
  remove(userId: string): Promise<void>
}

/**
 * Until there are none, or `signal` is aborted. A shard that is down and users whose rows are locked for long are left for the next time,
 * which the error reports.
 */
export async function removeOldRows({ find, remove }: OldRows, signal?: AbortSignal): Promise<void> {
  const tried = new Set<string>()
  // Users who still have old rows. A search looks at a number of rows: one user may have as many, and would hide the others.
  const left = new Set<string>()
  let failure: DatabaseUnavailable | undefined
  let busy = 0
  for (;;) {
    if (signal?.aborted) return
    const found = await find([...left])
    failure ??= found.outage
    const users = found.users.filter((userId) => !tried.has(userId))
    const again = found.users.filter((userId) => tried.has(userId) && !left.has(userId)).slice(0, leftOutAtMost - left.size)
    if (users.length === 0 && again.length === 0) break
    for (const userId of again) left.add(userId)
    for (const userId of users) {
      if (signal?.aborted) return
      tried.add(userId)
      try {
        await remove(userId)
        busy = 0
      } catch (error) {
        failure = ofThisUser(error)
        busy = failure.reason === 'busy' ? busy + 1 : 0
        if (busy === busyInARow) throw failure
      }
    }
  }
  if (failure !== undefined) throw failure
}

/** Rethrows what concerns every user. */
function ofThisUser(error: unknown): DatabaseUnavailable {
  const failure = asUnavailable(error)
  if (!(failure instanceof DatabaseUnavailable) || failure.reason === 'connection') throw error
  return failure
}
