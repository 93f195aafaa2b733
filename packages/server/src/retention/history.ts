// HISTORY_DAYS: moves messages and other append-only entities that are too old from the database to a file of their user.
// Devices keep what they have: they delete such entities only when their user does.
import type { StoredFile } from '@tandem/contract/file'
import { removeOldRows } from '../database/old-rows.ts'
import { blobKey } from '../file/blob-key.ts'
import { insertFile } from '../file/store.ts'
import { newId } from '../http/id.ts'
import type { Services } from '../services.ts'
import { deleteHistory, type HistoryPart, markHistory, readHistory, usersWithHistoryBefore } from '../sync/history.ts'

const dayMs = 24 * 60 * 60 * 1_000
/** Of one file. */
const fileBytes = 16 * 1024 * 1024
const mediaType = 'application/x-ndjson'

type HistoryServices = Pick<Services, 'database' | 'blobs' | 'now'>

/** A user is visited when a day of the history has become old. */
export async function exportHistory(
  services: HistoryServices,
  days: number,
  signal?: AbortSignal,
  maxBytes: number = fileBytes,
): Promise<void> {
  if (days === 0) return
  const before = services.now() - days * dayMs
  await removeOldRows(
    {
      find: (except) => usersWithHistoryBefore(services.database.owner, before - dayMs, except),
      remove: (userId) => exportUser(services, userId, before, signal, maxBytes),
    },
    signal,
  )
}

async function exportUser(
  { database, blobs, now }: HistoryServices,
  userId: string,
  before: number,
  signal: AbortSignal | undefined,
  maxBytes: number,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return
    const part = await database.asUser(userId, (sql) => readHistory(sql, userId, before, maxBytes))
    if (!part) break
    const id = newId(now())
    const bytes = Buffer.from(part.text)
    // The file first: without its row it is an orphan, which the sweep deletes.
    const { size, sha256 } = await blobs.put(blobKey(userId, id), once(bytes), { maxBytes: bytes.length, mediaType })
    const file: StoredFile = { id, name: nameOf(part), size, media_type: mediaType, sha256, created_at: new Date(now()).toISOString() }
    await database.asUser(userId, async (sql) => {
      await deleteHistory(sql, userId, part)
      await insertFile(sql, userId, file)
    })
  }
  await database.asUser(userId, (sql) => markHistory(sql, userId, before, now()))
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function nameOf({ first, last }: HistoryPart): string {
  const day = (stamp: number) => new Date(stamp).toISOString().slice(0, 10)
  return `history ${day(first)} to ${day(last)}.jsonl`
}
