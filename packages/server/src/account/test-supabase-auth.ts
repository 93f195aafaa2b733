// Supabase's Auth API for tests: the official `@supabase/lite` on the test's own PostgreSQL, on loopback.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { App } from '@supabase/lite'
import { createPostgresConnection } from '@supabase/lite/postgres'
import type { Platform } from '../config/platform.ts'
import type { DatabaseTarget } from '../database/database.ts'

export interface TestSupabaseAuth {
  readonly platform: Extract<Platform, { kind: 'supabase' }>
  /** Method and path of each request that reached it. */
  readonly requests: string[]
  stop(): Promise<void>
}

const serviceKey = 'sb_secret_0123456789abcdefghijklmnopqrst_12345678'

export async function startTestSupabaseAuth(
  { address, password }: DatabaseTarget,
  jwt_secret: string,
  options: { confirmations?: boolean } = {},
): Promise<TestSupabaseAuth> {
  const { host, port, user, database } = address
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`
  const connection = createPostgresConnection({
    url,
    postgresOptions: { ...(address.socket === undefined ? {} : { path: address.socket }), max: 3, onnotice: () => undefined },
  })
  const app = new App({
    connection,
    auth: { enabled: true, jwt_secret, secret_key: serviceKey, email: { enable_confirmations: options.confirmations ?? false } },
    options: { drivers: { email: { send: async () => undefined } } },
  })
  await app.init()
  await app.ensureSystemSchema()

  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(app, request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  return {
    platform: {
      kind: 'supabase',
      url: `http://127.0.0.1:${bound.port}`,
      service_key: serviceKey,
      database_url: `postgres://${user}@${host}:${port}/${database}`,
      database_password: password,
    },
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
  const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
  const { method = 'GET' } = request
  const answered = await app.fetch(
    new Request(`http://${request.headers.host}${request.url}`, { method, headers, ...(body.length > 0 ? { body } : {}) }),
  )
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(Buffer.from(await answered.arrayBuffer()))
}
