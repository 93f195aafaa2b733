// Tandem in the sync benchmark: a real server process, and its PostgreSQL without the server as the limit.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change } from '@tandem/contract/sync'
import postgres from 'postgres'
import { openTokens } from '../packages/server/src/token/tokens.ts'
import { startBenchRedis } from './redis.ts'
import { type BenchConnection, openBenchConnection, tailField } from './sync-connection.ts'

export interface Backend {
  readonly url: string
  readonly pid: number
  /** Of its Redis, if it has one: not a child of the server. */
  readonly redis_pid: number | undefined
  readonly sql: postgres.Sql
  /** An access token of a new user. */
  token(): Promise<string>
  user(): Promise<BenchUser>
  stop(): Promise<void>
}

export interface BenchUser {
  readonly user_id: string
  push(body: Buffer): Promise<Buffer>
  /** A page from `cursor`; the whole state, page by page, with `pullAll`. */
  pull(cursor?: string): Promise<Buffer>
  pullAll(): Promise<Buffer[]>
  close(): void
}

/** With `core`, the server and its PostgreSQL stay on that core. With `workers`, it has that many processes, and a Redis. */
export async function startBackend({ core, workers }: { core?: number; workers?: number } = {}): Promise<Backend> {
  const dir = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const [secret, key] = [randomBytes(48).toString('base64url'), randomBytes(24).toString('base64url')]
  const settings = [
    `BAAS_URL=embedded:${dir}`,
    `DATA_DIR=${dir}`,
    `BAAS_KEY=${key}`,
    `BAAS_JWT_SECRET=${secret}`,
    'PORT=0',
    'LOG_LEVEL=error',
  ]
  const redis = workers === undefined ? undefined : await startBenchRedis()
  if (redis) settings.push(`WORKERS=${workers}`, `CACHE_URL=${redis.url}`)
  const server = fork(new URL('sync-server.ts', import.meta.url), settings, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(core === undefined ? {} : { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] }),
  })
  const url = await addressOf(server)
  const tokens = openTokens({ kind: 'secret', secret }, undefined)

  const sign = (user_id: string) => tokens.sign({ user_id, session_id: randomUUID(), email: 'bench@example.org' }, Date.now())

  return {
    url,
    pid: server.pid ?? 0,
    redis_pid: redis?.pid,
    sql: connect(dir, key),
    token: () => sign(randomUUID()),
    async user() {
      const user_id = randomUUID()
      const token = await sign(user_id)
      return benchUser(user_id, openBenchConnection(url, { authorization: `Bearer ${token}` }))
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await redis?.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export function pushBody(changes: readonly Change[]): Buffer {
  return Buffer.from(JSON.stringify({ device_id: 'bench', changes }))
}

function benchUser(user_id: string, wire: BenchConnection): BenchUser {
  const pull = (cursor?: string, snapshot?: string) => {
    const query = new URLSearchParams({ limit: '500', ...(cursor && { cursor_ts: cursor }), ...(snapshot && { snapshot_ts: snapshot }) })
    return wire.send('GET', `/api/v1/sync/pull?${query}`)
  }
  return {
    user_id,
    push: (body) => wire.send('POST', '/api/v1/sync/push', body),
    pull: (cursor) => pull(cursor),
    async pullAll() {
      const pages = [await pull()]
      for (let last = pages[0]; last && tailField(last, 'has_more') === 'true'; last = pages.at(-1)) {
        pages.push(await pull(tailField(last, 'cursor_ts'), tailField(last, 'snapshot_ts')))
      }
      return pages
    },
    close: () => wire.close(),
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  const gone = once(server, 'exit').then(() => Promise.reject(new Error('the server ended before it had an address')))
  const [message] = await Promise.race([once(server, 'message'), gone])
  gone.catch(() => undefined)
  return String(message.url)
}

/** PostgreSQL's pid file contains where it listens: port in line 4, socket folder in line 5. */
function connect(dir: string, password: string): postgres.Sql {
  const [file] = globSync(join(dir, '**/postmaster.pid'))
  if (file === undefined) throw new Error(`no PostgreSQL runs in ${dir}`)
  const [, , , port = '', socket = ''] = readFileSync(file, 'utf8').split('\n')
  const target = socket === '' ? { host: '127.0.0.1', port: Number(port) } : { path: `${socket}/.s.PGSQL.${port}` }
  return postgres({ ...target, user: 'tandem', database: 'tandem', password, max: 4, onnotice: () => undefined })
}
