// Blobs in any S3 API. S3 shows an object only when it is complete, so the bytes are written directly to their key.
import type { Blobs } from './blobs.ts'
import { StorageUnavailable } from './failure.ts'
import { limitSource } from './limited-source.ts'
import { emptyBody, rangedBody, rangeHeader } from './range-body.ts'
import { completeBody, inParts, textsIn } from './s3-parts.ts'
import { createS3Client, objectName, type S3Client, type S3Target, s3Code } from './s3-request.ts'

export type { S3Target } from './s3-request.ts'

/** S3 allows at most 10,000 parts of at least 5 MiB: 78 GiB with this size. An upload needs one part in memory, two while sending. */
const partBytes = 8 * 1024 * 1024

export async function openS3(target: S3Target, log: (line: string) => void, ask: S3Client = createS3Client(target)): Promise<Blobs> {
  const blobs: Blobs = {
    kind: 's3',
    async put(key, source, { maxBytes, mediaType }) {
      const metered = limitSource(source, maxBytes)
      const headers = { 'content-type': mediaType }
      let upload: Upload | undefined
      try {
        for await (const { body, last } of inParts(metered.chunks, partBytes)) {
          if (last && !upload) {
            await drained(ask({ method: 'PUT', key, headers, body }))
            return metered.stored()
          }
          upload ??= await startUpload(ask, key, headers)
          await sendPart(ask, upload, body)
        }
        if (upload) await completeUpload(ask, upload)
        return metered.stored()
      } catch (error) {
        if (upload) await abortUpload(ask, upload, log)
        throw metered.failure(`S3 upload of ${key}`, error)
      }
    },
    async get(key, range) {
      const response = await ask({ method: 'GET', key, headers: rangeHeader(range), accept: [404, 416] })
      if (response.status === 404) {
        const code = s3Code(await response.text())
        if (code === 'NoSuchBucket') throw new StorageUnavailable(`S3 bucket ${target.bucket} does not exist`)
        return undefined
      }
      if (response.status === 416) {
        await response.body?.cancel()
        return emptyBody()
      }
      return rangedBody(response, range, `S3 GET ${key}`)
    },
    async delete(key) {
      await drained(ask({ method: 'DELETE', key, accept: [404] }))
    },
    async *list(prefix, after) {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: objectName(target, prefix),
          ...(token === undefined ? {} : { 'continuation-token': token }),
          ...(after === undefined || token !== undefined ? {} : { 'start-after': objectName(target, after) }),
        }
        const xml = await (await ask({ method: 'GET', query })).text()
        for (const name of textsIn(xml, 'Key')) yield name.slice(objectName(target, '').length)
        token = textsIn(xml, 'NextContinuationToken')[0]
      } while (token !== undefined)
    },
    async ping() {
      await drained(ask({ method: 'HEAD', impatient: true }))
    },
  }
  await blobs.ping()
  return blobs
}

interface Upload {
  readonly key: string
  readonly id: string
  readonly etags: string[]
}

async function startUpload(ask: S3Client, key: string, headers: Record<string, string>): Promise<Upload> {
  const [id] = textsIn(await (await ask({ method: 'POST', key, query: { uploads: '' }, headers })).text(), 'UploadId')
  if (id === undefined) throw new StorageUnavailable('S3 started an upload without an UploadId')
  return { key, id, etags: [] }
}

async function sendPart(ask: S3Client, { key, id, etags }: Upload, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const query = { partNumber: String(etags.length + 1), uploadId: id }
  const response = await drained(ask({ method: 'PUT', key, query, body }))
  const etag = response.headers.get('etag')
  if (etag === null) throw new StorageUnavailable('S3 accepted a part without returning an ETag')
  etags.push(etag)
}

async function completeUpload(ask: S3Client, { key, id, etags }: Upload): Promise<void> {
  const text = await (await ask({ method: 'POST', key, query: { uploadId: id }, body: completeBody(etags) })).text()
  // Joining may take minutes: S3 sends 200 first, and may still report an error in the body.
  if (!text.includes('CompleteMultipartUploadResult')) throw new StorageUnavailable(`S3 could not complete the upload: ${s3Code(text)}`)
}

async function abortUpload(ask: S3Client, { key, id }: Upload, log: (line: string) => void): Promise<void> {
  try {
    await drained(ask({ method: 'DELETE', key, query: { uploadId: id }, accept: [404] }))
  } catch (error) {
    // The lifecycle rule of the bucket for unfinished uploads must delete the parts.
    log(`blobs: the unfinished upload of ${key} could not be canceled: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function drained(asking: Promise<Response>): Promise<Response> {
  const response = await asking
  await response.arrayBuffer()
  return response
}
