// Supabase's Auth, Data and Storage APIs for tests: the official `@supabase/lite` in this process, on loopback.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { App, setExperimental } from '@supabase/lite'
import { createConnection } from '@supabase/lite/sqlite'
import { openFolder } from './folder.ts'
import type { SupabaseTarget } from './supabase.ts'

export interface TestSupabase {
  readonly target: SupabaseTarget
  readonly requests: string[]
  stop(): Promise<void>
}

type StorageAdapter = NonNullable<App['_storageAdapter']>

export async function startTestSupabase(folder: string): Promise<TestSupabase> {
  const key = 'sb_secret_0123456789abcdefghijklmnopqrst_12345678'
  const connection = await createConnection({ url: ':memory:', ddlDialect: 'postgres' })
  setExperimental('storage', true)
  const app = new App({
    connection,
    auth: { enabled: true, jwt_secret: 'a-secret-of-the-tests-that-is-long-enough-0123456789', secret_key: key },
    storage: { enabled: true, file_size_limit: '500MiB' },
  })
  app._storageAdapter = await streamingAdapter(folder)
  await app.init()
  await app.ensureSystemSchema()

  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    // A caller who hangs up in the middle is what some tests do.
    answer(app, request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    target: { kind: 'supabase', url: `http://127.0.0.1:${address.port}`, key, bucket: 'tandem-files' },
    requests,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await connection.close()
    },
  }
}

async function answer(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) for (const one of value ?? []) headers.append(name, one)
  const withBody = request.method !== 'GET' && request.method !== 'HEAD'
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(withBody ? { body: incoming(request), duplex: 'half' } : {}),
  })
  const answered = await app.fetch(asked)
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body) await pipeline(answered.body, response)
  else response.end()
}

function incoming(request: IncomingMessage): ReadableStream {
  return ReadableStream.from(request)
}

/** The adapter that comes with it holds whole files in memory and leaks their handles; this one streams into our own folder. */
async function streamingAdapter(folder: string): Promise<StorageAdapter> {
  const blobs = await openFolder({ kind: 'folder', folder }, () => undefined)
  const metadata = async (key: string) => {
    const { size, mtime } = await stat(join(folder, key))
    return {
      cacheControl: 'no-cache',
      contentLength: size,
      size,
      mimetype: 'application/octet-stream',
      lastModified: mtime,
      eTag: `"${mtime.getTime()}"`,
    }
  }
  return {
    driver: undefined,
    async getObject(_bucket, key) {
      const body = await blobs.get(key)
      return { httpStatusCode: 200, metadata: await metadata(key), ...(body ? { body: ReadableStream.from(body) } : {}) }
    },
    async uploadObject(_bucket, key, _version, body, mediaType) {
      await blobs.put(key, chunksOf(body), { maxBytes: Number.POSITIVE_INFINITY, mediaType })
      return metadata(key)
    },
    deleteObject: (_bucket, key) => blobs.delete(key),
    async deleteObjects(_bucket, keys) {
      for (const key of keys) await blobs.delete(key)
    },
    headObject: (_bucket, key) => metadata(key),
    async copyObject() {
      throw new Error('no test copies')
    },
    async privateAssetUrl() {
      throw new Error('no test transforms')
    },
  }
}

async function* chunksOf(body: Parameters<StorageAdapter['uploadObject']>[3]): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else yield* Readable.from(body)
}
