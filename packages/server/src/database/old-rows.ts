// Retention finds users by their old rows and deletes user by user: a user without any costs nothing.
import type { FoundUsers } from './old-row-search.ts'
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts'

/** After this many users in a row for which the database was too busy, the others are left for the next time, too. */
export const busyInARow = 10

export interface OldRows {
  /** Users with old rows; takes no locks. */
  find(): PromiseLike<FoundUsers>
  /** Deletes them; touches only rows of this user. */
  remove(userId: string): Promise<void>
}

/**
 * Until there are none, or `signal` is aborted. A shard that is down and users whose rows are locked for long are left for the next time,
 * which the error reports.
 */
export async function removeOldRows({ find, remove }: OldRows, signal?: AbortSignal): Promise<void> {
  const tried = new Set<string>()
  const untried = (userId: string) => !tried.has(userId)
  let failure: DatabaseUnavailable | undefined
  let busy = 0
  for (;;) {
    if (signal?.aborted) return
    const found = await find()
    failure ??= found.outage
    const users = found.users.filter(untried)
    if (users.length === 0) break
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
