// Streams an upload into the storage: never all in memory, never stored in part.
import { type StoredFile, uploadPart } from '@tandem/contract/file'
import { FileUploadFields } from '@tandem/contract/file/schema'
import { fieldErrors } from '@tandem/contract/validation'
import type { FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import { BlobTooLarge } from '../blobs/blobs.ts'
import { bytesOf, type MultipartFile, partsOf } from '../http/body/multipart.ts'
import { newId } from '../http/id.ts'
import { type Refusal, refuse } from '../http/refusal.ts'
import { invalid } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { blobKey } from './blob-key.ts'
import { mediaTypeOf } from './name.ts'
import { uploadMs } from './orphans.ts'

type Parts = Pick<Services, 'blobs' | 'config' | 'log' | 'now'>

/** The text parts and the boundaries between parts add to the bytes of the file. */
export const multipartOverheadBytes = 64 * 1_024

/** Stores the bytes and returns their facts. If it throws, it has left nothing behind. */
export async function receiveUpload(services: Parts, userId: string, request: FastifyRequest): Promise<StoredFile> {
  const { config, now } = services
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > config.max_upload_bytes + multipartOverheadBytes) throw tooLarge(config.max_upload_bytes, announced)

  const started = now()
  const id = newId(started)
  const fields = new Map<string, unknown>()
  let stored: (Pick<StoredFile, 'size' | 'sha256'> & { file: MultipartFile }) | undefined
  const late = () => refuse('request_timeout', `the upload took longer than ${uploadMs / 60_000} minutes`)
  // A very slow sender would hold a slot forever: the deadline also applies before the last byte.
  const timer = setTimeout(() => request.raw.destroy(late()), uploadMs)
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        addField(fields, part)
      } else {
        // Checked before the bytes are read; a field after them is checked below.
        checkedFields(fields)
        stored = { file: part, ...(await store(services, blobKey(userId, id), part)) }
      }
    }
    if (!stored)
      throw invalid([{ pointer: `/${uploadPart}`, message: 'is missing: send the content of the file in a part with this name' }])
    const { name, sha256 } = checkedFields(fields)
    if (sha256 !== undefined && sha256 !== stored.sha256) {
      throw refuse('checksum_mismatch', `the received content has the SHA-256 ${stored.sha256}, not ${sha256}`)
    }
    if (now() - started > uploadMs) throw late()
    return {
      id,
      name: name ?? nameOf(stored.file),
      size: stored.size,
      media_type: mediaTypeOf(stored.file.mimetype),
      sha256: stored.sha256,
      created_at: new Date(started).toISOString(),
    }
  } catch (error) {
    if (stored) await discard(services, userId, id)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** What cannot be deleted now is deleted by the sweep for orphans. */
export async function discard({ blobs, log }: Pick<Services, 'blobs' | 'log'>, userId: string, id: string): Promise<void> {
  await blobs.delete(blobKey(userId, id)).catch((error: unknown) => {
    log.warn({ err: error, user_id: userId, file_id: id }, 'the content of a file could not be deleted; the next sweep will try again')
  })
}

async function store({ blobs, config }: Parts, key: string, part: MultipartFile): Promise<Pick<StoredFile, 'size' | 'sha256'>> {
  try {
    // The storage gets no type: direct access to it returns bytes, not a page.
    return await blobs.put(key, bytesOf(part.file), { maxBytes: config.max_upload_bytes, mediaType: 'application/octet-stream' })
  } catch (error) {
    if (!(error instanceof BlobTooLarge)) throw error
    if (error.max_bytes !== undefined) throw tooLarge(error.max_bytes)
    throw refuse('payload_too_large', 'the file is larger than the file storage of this service accepts')
  }
}

function tooLarge(limit: number, actual?: number): Refusal {
  return refuse('payload_too_large', `a file can have at most ${limit} bytes`, {
    limits: [{ name: 'upload_bytes', limit, ...(actual === undefined ? {} : { actual }) }],
  })
}

function addField(fields: Map<string, unknown>, part: { fieldname: string; value: unknown; valueTruncated: boolean }): void {
  const pointer = `/${part.fieldname}`
  if (part.valueTruncated) throw invalid([{ pointer, message: 'is too long' }])
  if (fields.has(part.fieldname)) throw invalid([{ pointer, message: 'appears more than once' }])
  fields.set(part.fieldname, part.value)
}

const fieldsCheck = Compile(FileUploadFields)

function checkedFields(fields: ReadonlyMap<string, unknown>): FileUploadFields {
  const value: unknown = Object.fromEntries(fields)
  if (fieldsCheck.Check(value)) return value
  throw invalid(fieldErrors(fieldsCheck.Errors(value)))
}

/** The filename of the part, if it is a valid name. */
function nameOf({ filename }: MultipartFile): string {
  if (!filename) return uploadPart
  if (fieldsCheck.Check({ name: filename })) return filename
  throw invalid([{ pointer: `/${uploadPart}`, message: 'has a filename that is not valid: send a `name` of 1 to 255 characters' }])
}
