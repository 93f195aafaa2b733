// Bytes without a row: an upload whose node died before its row was written, or a deletion that did not reach the storage.
import { asUnavailable, DatabaseUnavailable } from '../database/unavailable.ts'
import type { Services } from '../services.ts'
import { blobKey, ownerOf, startedAt } from './blob-key.ts'
import { knownFiles } from './store.ts'

/** An upload that takes longer than `uploadMs` is refused, so a blob older than `orphanMs` will never get a row. */
export const uploadMs = 45 * 60 * 1_000
const orphanMs = 60 * 60 * 1_000

const atOnce = 1_000
/** How many a sweep looks at: a store returns a thousand per request and may charge for each. */
const listedAtMost = 200_000
/** Where the last sweep ended. If the cache loses it, the next one starts from the beginning. */
const placeKey = 'orphans-after'
const placeSeconds = 30 * 24 * 60 * 60

/**
 * Deletes blobs that have no row and are older than an hour. Continues where the last sweep ended: in a store with more than `most` blobs,
 * each is looked at every few sweeps.
 */
export async function sweepOrphanBlobs(
  { blobs, cache, database, log, now }: Pick<Services, 'blobs' | 'cache' | 'database' | 'log' | 'now'>,
  signal?: AbortSignal,
  most: number = listedAtMost,
): Promise<void> {
  const latest = now() - orphanMs
  let userId = ''
  let old: string[] = []
  let outage: DatabaseUnavailable | undefined

  async function sweep(): Promise<void> {
    const ids = old
    old = []
    if (ids.length === 0) return
    const known = await knownFiles(database.owner, userId, ids).catch((error: unknown) => {
      const failure = asUnavailable(error)
      if (!(failure instanceof DatabaseUnavailable) || failure.reason !== 'shard') throw error
      outage = failure
    })
    // The shard of this user is down: a later sweep, once it has been through all blobs, looks at these again.
    if (!known) return
    for (const fileId of ids) {
      if (signal?.aborted) return
      if (known.has(fileId)) continue
      try {
        await blobs.delete(blobKey(userId, fileId))
      } catch (error) {
        // A blob that cannot be deleted must not block the others.
        log.warn({ err: error, user_id: userId, file_id: fileId }, 'the content of a file that no longer exists could not be deleted')
        continue
      }
      log.info({ user_id: userId, file_id: fileId }, 'deleted the content of a file that no longer exists')
    }
  }

  // Stores list blobs user by user.
  const after = await cache.get(placeKey)
  let listed = 0
  let last: string | undefined
  for await (const key of blobs.list('', after)) {
    if (signal?.aborted) return
    if (listed === most) break
    listed += 1
    const owner = ownerOf(key)
    if (owner) last = key
    if (!owner || startedAt(owner.file_id) > latest) continue
    if (owner.user_id !== userId || old.length === atOnce) await sweep()
    userId = owner.user_id
    old.push(owner.file_id)
  }
  await sweep()
  if (listed === most && last !== undefined) await cache.set(placeKey, last, placeSeconds)
  else await cache.delete(placeKey)
  if (outage !== undefined) throw outage
}
