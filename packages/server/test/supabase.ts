// A Supabase project for tests: the official `@supabase/lite` in this process, its Auth and Storage APIs on loopback, its data in the run's PostgreSQL.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { App, setExperimental } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import type { DatabaseTarget } from '../src/database/database.ts'
import { streamingAdapter } from './supabase-storage.ts'

export interface TestSupabase {
  readonly url: string
  readonly service_key: string
  /** Method and path of each request that reached it. */
  readonly requests: string[]
  stop(): Promise<void>
}

export interface TestSupabaseOptions {
  readonly database: DatabaseTarget
  /** Where Storage keeps its objects. */
  readonly folder: string
  readonly jwt_secret: string
  /** Whether new e-mail addresses must be confirmed first. */
  readonly confirmations?: boolean
}

const service_key = 'sb_secret_0123456789abcdefghijklmnopqrst_12345678'

export async function startTestSupabase({
  database,
  folder,
  jwt_secret,
  confirmations = false,
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
    // A caller who hangs up in the middle is what some tests do.
    answer(app, request, response).catch(() => response.destroy())
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

async function answer(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) for (const one of value ?? []) headers.append(name, one)
  const withBody = request.method !== 'GET' && request.method !== 'HEAD'
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? 'GET',
    headers,
    ...(withBody ? { body: ReadableStream.from(request), duplex: 'half' } : {}),
  })
  const answered = await app.fetch(asked)
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  if (answered.body) await pipeline(answered.body, response)
  else response.end()
}
