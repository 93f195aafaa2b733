// A Supabase project for tests: the official `@supabase/lite` in this process, its Auth and Storage APIs on loopback, data in PostgreSQL.
// It provides accounts, tokens, buckets, access rights to objects and their list. We provide storage of bytes (supabase-storage.ts) and,
// because it ignores Range, partial responses like those of the hosted service.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { App, setExperimental } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import type { DatabaseTarget } from '../../src/database/database.ts'
import { streamingAdapter } from './supabase-storage.ts'

export interface TestSupabase {
  readonly url: string
  readonly service_key: string
  /** Method and path of each request it received. */
  readonly requests: string[]
  stop(): Promise<void>
}

export interface TestSupabaseOptions {
  readonly database: DatabaseTarget
  /** Where Storage stores its objects. */
  readonly folder: string
  readonly jwt_secret: string
  /** Whether new email addresses must be confirmed first. */
  readonly confirmations?: boolean
  /** `ignored`: a request for a part gets everything, as HTTP allows. */
  readonly ranges?: 'honoured' | 'ignored'
}

const service_key = 'sb_secret_0123456789abcdefghijklmnopqrst_12345678'

export async function startTestSupabase({
  database,
  folder,
  jwt_secret,
  confirmations = false,
  ranges = 'honoured',
}: TestSupabaseOptions): Promise<TestSupabase> {
  const { host, port, user, database: name, socket } = database.address
  const connection = createPostgresConnection({
    url: `postgres://${user}:${database.password}@${host}:${port}/${name}`,
    postgresOptions: { ...(socket === undefined ? {} : { path: socket }), max: 3, onnotice: () => undefined },
  })
  setExperimental('storage', true)
  const app = new App({
    connection,
    auth: { enabled: true, jwt_secret, secret_key: service_key, email: { enable_confirmations: confirmations } },
    storage: { enabled: true, file_size_limit: '500MiB' },
    options: { drivers: { email: { send: async () => undefined } } },
  })
  app._storageAdapter = await streamingAdapter(folder)
  await app.init()
  await app.ensureSystemSchema()

  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    // Some tests disconnect in the middle.
    answer(app, request, response, ranges).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${bound.port}`,
    service_key,
    requests,
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await connection.close()
    },
  }
}

async function answer(app: App, request: IncomingMessage, response: ServerResponse, ranges: 'honoured' | 'ignored'): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) for (const one of value ?? []) headers.append(name, one)
  const withBody = request.method !== 'GET' && request.method !== 'HEAD'
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(withBody ? { body: ReadableStream.from(request), duplex: 'half' } : {}),
  })
  const whole = await app.fetch(asked)
  const answered = ranges === 'honoured' && whole.status === 200 && request.method === 'GET' ? cut(whole, request.headers.range) : whole
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body) await pipeline(answered.body, response)
  else response.end()
}

/** The part of a response that `Range: bytes=a-b` requests. */
function cut(whole: Response, range: string | undefined): Response {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  const size = Number(whole.headers.get('content-length') ?? Number.NaN)
  if (from === undefined || Number.isNaN(size) || !whole.body) return whole
  const [start, end] = [Number(from), Math.min(Number(to), size - 1)]
  if (start > end) {
    return Response.json({ statusCode: '416', error: 'InvalidRange', message: 'The requested range is not satisfiable' }, { status: 400 })
  }
  const headers = new Headers(whole.headers)
  headers.set('content-range', `bytes ${start}-${end}/${size}`)
  headers.set('content-length', String(end - start + 1))
  return new Response(ReadableStream.from(part(whole.body, start, end + 1)), { status: 206, headers })
}

async function* part(body: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of body) {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += chunk.length
    if (piece.length > 0) yield piece
    if (at >= end) return
  }
}
