// Retention finds users by their old rows, through an index that starts with the time: a user without any costs nothing.
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts'

/** How many old rows one search looks at. Those of a user are deleted together, so the next search finds others. */
export const rowsPerSearch = 10_000

export interface OldRows {
  /** Users with old rows, of the oldest `rowsPerSearch` rows; takes no locks. */
  find(): PromiseLike<readonly { readonly user_id: string }[]>
  /** Deletes them; touches only rows of this user. */
  remove(userId: string): Promise<void>
}

/** Until there are none, or `signal` is aborted. Users on a shard that is down are left for the next time, which the error reports. */
export async function removeOldRows({ find, remove }: OldRows, signal?: AbortSignal): Promise<void> {
  const tried = new Set<string>()
  let outage: unknown
  for (;;) {
    if (signal?.aborted) return
    const found = (await find()).map(({ user_id }) => user_id).filter((userId) => !tried.has(userId))
    if (found.length === 0) break
    for (const userId of found) {
      if (signal?.aborted) return
      tried.add(userId)
      try {
        await remove(userId)
      } catch (error) {
        const failure = asUnavailable(error)
        if (!(failure instanceof DatabaseUnavailable) || failure.reason !== 'shard') throw error
        outage = failure
      }
    }
  }
  if (outage !== undefined) throw outage
}
