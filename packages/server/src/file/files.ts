// Files: their bytes in the storage, everything else in the database. The row is written when the bytes are complete.
import { Readable } from 'node:stream'
import type { FileListQuery, StoredFile } from '@tandem/contract/file'
import type { FastifyRequest } from 'fastify'
import { runIdempotently, type StoredReply } from '../http/idempotency.ts'
import { type Page, pageOf, pageSize } from '../http/page.ts'
import { Refusal, refuse } from '../http/refusal.ts'
import { faultOf, refuseFaults, text } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { blobKey } from './blob-key.ts'
import { exactly } from './exact-length.ts'
import { attachment } from './name.ts'
import { quotaRefusal } from './quota.ts'
import { type RangeHeaders, resolveRange } from './range-request.ts'
import * as store from './store.ts'
import { discard, multipartOverheadBytes, receiveUpload } from './upload.ts'

export interface Files {
  upload(userId: string, key: string | undefined, request: FastifyRequest): Promise<StoredReply<201, StoredFile>>
  list(userId: string, query: FileListQuery): Promise<Page<StoredFile>>
  /** Without `body` for HEAD and if there is nothing to send. */
  open(userId: string, id: string, headers: RangeHeaders, method: string): Promise<Content>
  delete(userId: string, id: string): Promise<void>
}

interface Content {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Record<string, string | number>
  readonly body?: Readable
}

/** How many uploads a node accepts at once: slow ones use no slot of other requests, but some memory. */
const uploadsAtOnce = 64
/** The part of them for one user, so that no user can take all. */
const uploadsOfOneAtOnce = 4

export function openFiles(services: Services): Files {
  const { config, database, blobs, log } = services
  let uploads = 0
  const uploadsOf = new Map<string, number>()

  async function keep(userId: string, key: string | undefined, file: StoredFile): Promise<StoredReply<201, StoredFile>> {
    const { id: _, created_at: __, ...content } = file
    try {
      const reply = await database.asUser(userId, (sql) =>
        runIdempotently(sql, { user_id: userId, key, route: 'files_upload', request: content }, async () => {
          const [, used] = await Promise.all([store.lockUsage(sql, userId), store.usedBytes(sql, userId)])
          const refusal = quotaRefusal(used, file.size, config.max_user_bytes)
          if (refusal) throw refusal
          await store.insertFile(sql, userId, file)
          return { status: 201 as const, body: file }
        }),
      )
      // The same upload was stored before: its bytes already exist.
      if (reply.body.id !== file.id) await discard(services, userId, file.id)
      return reply
    } catch (error) {
      // Only a refusal proves that no row was written. After a lost connection there may be one, and the sweep checks it.
      if (error instanceof Refusal) await discard(services, userId, file.id)
      throw error
    }
  }

  /** Before the bytes are sent, as far as possible; with a key it may be an upload that was stored before. */
  async function demandRoom(userId: string, key: string | undefined, request: FastifyRequest): Promise<void> {
    if (key !== undefined) return
    const announced = Number(request.headers['content-length'] ?? 0)
    const used = await database.asUser(userId, (sql) => store.usedBytes(sql, userId))
    const refusal = quotaRefusal(used, Math.max(1, announced - multipartOverheadBytes), config.max_user_bytes)
    if (refusal) throw refusal
  }

  async function find(userId: string, id: string): Promise<StoredFile> {
    const file = await database.asUser(userId, (sql) => store.findFile(sql, userId, id))
    if (!file) throw refuse('not_found', `there is no file ${id}`)
    return file
  }

  return {
    async upload(userId, key, request) {
      const own = uploadsOf.get(userId) ?? 0
      if (uploads >= uploadsAtOnce) throw refuse('overloaded', `${uploads} uploads are already in progress`, { retry_after_seconds: 2 })
      if (own >= uploadsOfOneAtOnce)
        throw refuse('overloaded', `${own} uploads of this account are already in progress`, { retry_after_seconds: 2 })
      uploads += 1
      uploadsOf.set(userId, own + 1)
      try {
        await demandRoom(userId, key, request)
        return await keep(userId, key, await receiveUpload(services, userId, request))
      } finally {
        uploads -= 1
        const left = (uploadsOf.get(userId) ?? 1) - 1
        if (left > 0) uploadsOf.set(userId, left)
        else uploadsOf.delete(userId)
      }
    },

    async list(userId, query) {
      refuseFaults(faultOf(text, '/query/q', query.q))
      const size = pageSize(query)
      const rows = await database.asUser(userId, (sql) => store.listFiles(sql, userId, query, size))
      return pageOf('files', rows, size, ({ id }) => [id])
    },

    async open(userId, id, headers, method) {
      const file = await find(userId, id)
      const etag = `"${file.sha256}"`
      // Ranges apply only to GET.
      const { range, ...conditions } = headers
      const reading = resolveRange(file.size, etag, method === 'GET' ? headers : conditions)
      const common = { etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' }
      if (reading.kind === 'unchanged') return { status: 304, headers: common }
      if (reading.kind === 'unsatisfiable') return { status: 416, headers: { 'content-range': `bytes */${file.size}` } }

      const part = reading.kind === 'part' ? { start: reading.start, end: reading.end } : undefined
      const entity = {
        ...common,
        'content-type': file.media_type,
        'content-length': part ? part.end - part.start + 1 : file.size,
        'content-disposition': attachment(file.name),
        // Untrusted bytes: no type sniffing, and if a browser displays them anyway, without scripts and without an origin.
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        ...(part ? { 'content-range': `bytes ${part.start}-${part.end}/${file.size}` } : {}),
      }
      const status = part ? 206 : 200
      if (method === 'HEAD') return { status, headers: entity }
      const bytes = await blobs.get(blobKey(userId, file.id), part)
      if (!bytes) {
        // Just deleted, or lost by the storage.
        log.warn({ user_id: userId, file_id: file.id }, 'the content of a file is missing from the storage')
        throw refuse('not_found', `the content of file ${id} is missing`)
      }
      return { status, headers: entity, body: Readable.from(exactly(bytes, entity['content-length']), { objectMode: false }) }
    },

    async delete(userId, id) {
      const fileId = await database.asUser(userId, (sql) => store.deleteFile(sql, userId, id))
      if (fileId === undefined) throw refuse('not_found', `there is no file ${id}`)
      await discard(services, userId, fileId)
    },
  }
}
