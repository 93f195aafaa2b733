// Files with our own ids: attachments of messages are kept permanently, screenshots of tools as long as other outputs.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from './store.ts'

export type BlobKind = 'attachment' | 'picture'

export interface Blobs {
  /** Returns when it is on disk. */
  keep(kind: BlobKind, bytes: Uint8Array): string
  /** Undefined if it is not on this device: deleted, or stored on another device. */
  find(file_id: string): Buffer | undefined
  /** Its size, without reading it. */
  size(file_id: string): number | undefined
  /** Deletes attachments that were never sent. Returns how many. */
  forgetUnsent(): number
}

/** Long enough to finish a message. */
const unsent_ms = 7 * 24 * 60 * 60 * 1_000
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function openBlobs({ home, sql, clock, newId }: Pick<Store, 'home' | 'sql' | 'clock' | 'newId'>): Blobs {
  const folders: Record<BlobKind, string> = { attachment: attachmentFolder(home), picture: join(home, 'outputs') }
  const path = (kind: BlobKind, file_id: string) => join(folders[kind], kind === 'picture' ? `${file_id}.picture` : file_id)

  function first<Value>(file_id: string, look: (path: string) => Value): Value | undefined {
    if (!id.test(file_id)) return undefined
    for (const kind of ['attachment', 'picture'] as const) {
      try {
        return look(path(kind, file_id))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
      }
    }
    return undefined
  }

  return {
    keep(kind, bytes) {
      const file_id = kind === 'picture' ? contentId(bytes) : newId()
      mkdirSync(folders[kind], { recursive: true, mode: 0o700 })
      if (kind === 'picture' && isKeptAgain(path(kind, file_id), clock.now())) return file_id
      const arriving = `${path(kind, file_id)}.part`
      writeFileSync(arriving, bytes, { mode: 0o600, flush: true })
      renameSync(arriving, path(kind, file_id))
      return file_id
    },
    find: (file_id) => first(file_id, (file) => readFileSync(file)),
    size: (file_id) => first(file_id, (file) => statSync(file).size),
    forgetUnsent() {
      const old = oldFiles(folders.attachment, clock.now() - unsent_ms)
      if (old.length === 0) return 0
      // A message to a paused run waits for it, however long.
      const sent = new Set(
        sql.all<{ file_id: string }>`
          SELECT json_extract(one.value, '$.file_id') AS file_id FROM messages m, json_each(m.attachments) one
          WHERE m.attachments IS NOT NULL
          UNION ALL SELECT json_extract(one.value, '$.file_id') FROM run_inbox i, json_each(i.attachments) one
          WHERE i.delivered = 0 AND i.attachments IS NOT NULL`.map(({ file_id }) => file_id),
      )
      const unsent = old.filter((name) => !sent.has(name))
      for (const name of unsent) rmSync(join(folders.attachment, name), { force: true })
      return unsent.length
    },
  }
}

/** Tools return the same picture again and again: it is stored once. */
function contentId(bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** Its age counts from its last use. False if it is not there. */
function isKeptAgain(file: string, now: number): boolean {
  try {
    utimesSync(file, now / 1_000, now / 1_000)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

function attachmentFolder(home: string): string {
  return join(home, 'attachments')
}

/** The path of an attachment, whether or not it has arrived from another device yet. */
export function attachmentPath(home: string, file_id: string): string {
  if (!id.test(file_id)) throw new Error(`${file_id} is not a file id`)
  return join(attachmentFolder(home), file_id)
}

function oldFiles(folder: string, before: number): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => statSync(join(folder, name)).mtimeMs < before)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
