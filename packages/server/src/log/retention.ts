import { limits } from '@tandem/contract/limits'
import type { Database } from '../database/database.ts'
import { usersIn } from '../database/users-in.ts'
import { firstIdOf } from './batch-id.ts'
import { deleteLogsBefore } from './store.ts'

/** Small enough that one statement stays far below the time a statement may take. */
const atOnce = 5_000

/**
 * Lets go of old records, user by user. Their age counts from when they were received: a device's wrong clock can neither keep a record
 * for ever nor have it vanish on arrival.
 */
export async function expireLogs({ owner }: Database, now: number, signal?: AbortSignal, most: number = atOnce): Promise<void> {
  const firstKept = firstIdOf(now - limits.log_retention_ms)
  for await (const userId of usersIn(owner, 'tandem.log_records', signal)) {
    while ((await deleteLogsBefore(owner, userId, firstKept, most)) === most && !signal?.aborted);
  }
}
