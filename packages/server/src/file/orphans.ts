// Bytes without a row: an upload whose node died before its row was written, or a deletion that did not reach the storage.
import type { Services } from '../services.ts'
import { blobKey, ownerOf, startedAt } from './blob-key.ts'
import { knownFiles } from './store.ts'

/** An upload that takes longer than `uploadMs` is refused, so a blob older than `orphanMs` will never get a row. */
export const uploadMs = 45 * 60 * 1_000
const orphanMs = 60 * 60 * 1_000

const atOnce = 1_000

/** Deletes blobs that have no row and are older than an hour. */
export async function sweepOrphanBlobs(
  { blobs, database, log, now }: Pick<Services, 'blobs' | 'database' | 'log' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const latest = now() - orphanMs
  let userId = ''
  let old: string[] = []

  async function sweep(): Promise<void> {
    if (old.length === 0) return
    const known = await knownFiles(database.owner, userId, old)
    for (const fileId of old) {
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
    old = []
  }

  // Stores list blobs user by user.
  for await (const key of blobs.list('')) {
    if (signal?.aborted) return
    const owner = ownerOf(key)
    if (!owner || startedAt(owner.file_id) > latest) continue
    if (owner.user_id !== userId || old.length === atOnce) await sweep()
    userId = owner.user_id
    old.push(owner.file_id)
  }
  await sweep()
}
