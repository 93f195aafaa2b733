// Blobs in the Storage of a Supabase project, over its HTTP API with the service key.

import { isKey, isSegment } from './blob-validation.ts'
import type { Blobs } from './blobs.ts'
import { BlobTooLarge, StorageUnavailable, storageFailure } from './failure.ts'
import { namesFrom, pageRows } from './folder-pages.ts'
import { limitSource } from './limited-source.ts'
import { emptyBody, rangedBody, rangeHeader } from './range-body.ts'
import { StallDetector } from './stall.ts'

export interface SupabaseTarget {
  readonly kind: 'supabase'
  /** The URL of the project, as in BAAS_URL. */
  readonly url: string
  readonly key: string
  readonly bucket: string
}

const answerWithinMs = 30_000
const pingWithinMs = 5_000
/** How long Storage may read no byte of an upload, or not respond at its end. */
const stallMs = 60_000

export async function openSupabase({ url, key: secret, bucket }: SupabaseTarget): Promise<Blobs> {
  const base = `${url.replace(/\/+$/, '')}/storage/v1`
  // A new key is not a JWT and is sent only in `apikey`; a legacy key must be sent in both.
  const auth = { apikey: secret, ...(secret.startsWith('sb_') ? {} : { authorization: `Bearer ${secret}` }) }

  async function ask(path: string, init: RequestInit, limitMs = answerWithinMs): Promise<Response> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${limitMs} ms`)), limitMs)
    try {
      return await fetch(base + path, { ...init, headers: { ...init.headers, ...auth }, signal: late.signal })
    } catch (error) {
      throw storageFailure(`Supabase Storage at ${base}`, error)
    } finally {
      clearTimeout(timer)
    }
  }

  const askJson = (path: string, method: string, body: unknown): Promise<Response> =>
    ask(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  const blobs: Blobs = {
    kind: 'supabase',
    async put(key, source, { maxBytes, mediaType }) {
      const metered = limitSource(source, maxBytes)
      const stall = new StallDetector(stallMs)
      try {
        const response = await fetch(`${base}/object/${bucket}/${key}`, {
          method: 'POST',
          headers: { ...auth, 'content-type': mediaType, 'x-upsert': 'true', 'cache-control': 'no-cache' },
          body: ReadableStream.from(stall.watch(metered.chunks)),
          duplex: 'half',
          signal: stall.signal,
        })
        const refusal = response.ok ? undefined : await readRefusal(response)
        if (refusal) throw refusal.status === 413 ? new BlobTooLarge() : refusal.error
        await response.arrayBuffer()
        return metered.stored()
      } catch (error) {
        throw metered.failure(`Supabase Storage upload of ${key}`, error)
      } finally {
        stall.end()
      }
    },
    async get(key, range) {
      const response = await ask(`/object/${bucket}/${key}`, { headers: rangeHeader(range) })
      if (response.ok) return rangedBody(response, range, `Supabase Storage download of ${key}`)
      const refusal = await readRefusal(response)
      if (refusal.status === 416) return emptyBody()
      if (refusal.status === 404 && !refusal.ofBucket) return undefined
      throw refusal.error
    },
    async delete(key) {
      await accept(await askJson(`/object/${bucket}`, 'DELETE', { prefixes: [key] }))
    },
    async *list(prefix, after = '') {
      if (prefix !== '') {
        yield* (await names(prefix.slice(0, -1))).filter((name) => isKey(name) && name.startsWith(prefix) && name > after)
        return
      }
      const [first = ''] = after.split('/')
      for await (const name of namesFrom(first, (offset, limit) => page('', offset, limit))) {
        if (isKey(name) && name > after) yield name
        else if (isSegment(name)) yield* blobs.list(`${name}/`, after)
      }
    },
    async ping() {
      await accept(await ask(`/bucket/${bucket}`, {}, pingWithinMs))
    },
  }

  /** Everything directly in a folder, with its full path. Read completely before use: deleting while paging would skip rows. */
  async function names(folder: string): Promise<string[]> {
    const found: string[] = []
    for (let offset = 0; ; offset += pageRows) {
      const rows = await page(folder, offset, pageRows)
      // Storage returns names relative to the folder; the test server returns the full path.
      for (const name of rows) found.push(name.startsWith(`${folder}/`) ? name : `${folder}/${name}`)
      if (rows.length < pageRows) return found
    }
  }

  async function page(folder: string, offset: number, limit: number): Promise<string[]> {
    const order = { sortBy: { column: 'name', order: 'asc' } }
    return namesIn(await accept(await askJson(`/object/list/${bucket}`, 'POST', { prefix: folder, limit, offset, ...order })))
  }

  await makeBucket()
  return blobs

  async function makeBucket(): Promise<void> {
    const known = await ask(`/bucket/${bucket}`, {}, pingWithinMs)
    if (known.ok) return void (await known.arrayBuffer())
    const refusal = await readRefusal(known)
    if (refusal.status !== 404) throw refusal.error
    const made = await askJson('/bucket', 'POST', { id: bucket, name: bucket, public: false })
    if (made.ok) return void (await made.arrayBuffer())
    const second = await readRefusal(made)
    if (second.status !== 409) throw second.error // 409: another server was faster
  }
}

async function accept(response: Response): Promise<unknown> {
  if (!response.ok) throw (await readRefusal(response)).error
  return response.json()
}

/** Storage returns 400 for nearly everything, with the real status in the body. */
async function readRefusal(response: Response): Promise<{ status: number; ofBucket: boolean; error: StorageUnavailable }> {
  const text = await response.text()
  const { statusCode, error, message } = asRefusal(text)
  const status = Number(statusCode ?? response.status)
  return {
    status,
    ofBucket: /bucket/i.test(`${error} ${message}`),
    error: new StorageUnavailable(`Supabase Storage answered ${status}: ${message ?? error ?? text.slice(0, 200)}`, { status }),
  }
}

function asRefusal(text: string): { statusCode?: unknown; error?: unknown; message?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {} // a gateway's page, not JSON of Storage: only the status and the text are known
  }
}

function namesIn(answer: unknown): string[] {
  if (!Array.isArray(answer)) throw new StorageUnavailable('Supabase Storage did not return a list of files')
  return answer.flatMap((row: unknown) =>
    typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string' ? [row.name] : [],
  )
}
