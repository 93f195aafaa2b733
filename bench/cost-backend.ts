// The whole backend of the cost benchmark, with a real Redis and PostgreSQL, and meters for each of them.
import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { openCache } from '../packages/server/src/cache/cache.ts'
import { openHub } from '../packages/server/src/realtime/hub.ts'
import { openTokens } from '../packages/server/src/token/tokens.ts'
import { type ListeningSocket, listen } from './cost-socket.ts'
import { processMilliseconds, treeMilliseconds } from './process-cpu.ts'
import { startBenchRedis } from './redis.ts'
import { type BenchConnection, openBenchConnection } from './sync-connection.ts'

/** What was used since the start, in milliseconds of processor time and bytes. */
export interface Usage {
  readonly node: number
  readonly postgres: number
  readonly redis: number
  readonly wal: number
  readonly disk: number
}

export interface CostBackend {
  readonly url: string
  /** A connection of a new user. */
  user(): Promise<CostUser>
  usage(): Promise<Usage>
  /** Bytes in use in Redis. */
  redisMemory(): Promise<number>
  /** Empties the cache, as if a long time had passed. */
  forget(): Promise<void>
  stop(): Promise<void>
}

export interface CostUser extends BenchConnection {
  /** Opens a socket that receives hints. */
  listen(): Promise<ListeningSocket>
  /** Another node sends a hint to the user's sockets. */
  hint(): void
}

export async function startCostBackend(): Promise<CostBackend> {
  const dir = mkdtempSync(join(tmpdir(), 'tandem-cost-'))
  const [secret, key] = [randomBytes(48).toString('base64url'), randomBytes(24).toString('base64url')]
  const redis = await startBenchRedis()
  const provider = fork(new URL('gateway-server.ts', import.meta.url), ['upstream'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [providerMessage] = await once(provider, 'message')
  const settings = [
    ...[`BAAS_URL=embedded:${dir}`, `DATA_DIR=${dir}`, `BAAS_KEY=${key}`, `BAAS_JWT_SECRET=${secret}`],
    ...['PORT=0', 'LOG_LEVEL=error', `CACHE_URL=${redis.url}`, 'TRUST_PROXY=1', 'LLM_DEMO=on', 'OLLAMA_HOST=off'],
    ...['OPENAI_API_KEY=sk-bench', `OPENAI_BASE_URL=${Object(providerMessage).url}/v1`],
    ...['LLM_REQUESTS_PER_MINUTE=0', 'LLM_TOKENS_PER_MINUTE=0'],
  ]
  const server = fork(new URL('sync-server.ts', import.meta.url), settings, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [message] = await once(server, 'message')
  const url = String(Object(message).url)
  const [file = ''] = globSync(join(dir, '**/postmaster.pid'))
  const [pid = '', , , number = '', socket = ''] = readFileSync(file, 'utf8').split('\n')
  const sql = postgres({
    ...(socket === '' ? { host: '127.0.0.1', port: Number(number) } : { path: `${socket}/.s.PGSQL.${number}` }),
    ...{ user: 'tandem', database: 'tandem', password: key, max: 1, onnotice: () => undefined },
  })
  const tokens = openTokens({ kind: 'secret', secret }, undefined)
  const client = new Redis(redis.url)
  const cache = await openCache({ kind: 'redis', url: redis.url }, () => undefined)
  const otherNode = openHub(cache, () => undefined)
  let users = 0

  return {
    url,
    async user() {
      users += 1
      // Before the first `await`: each user has an address of its own, whose limit counts for it alone.
      const address = `10.${(users >> 16) & 255}.${(users >> 8) & 255}.${users & 255}`
      const user_id = randomUUID()
      const token = await tokens.sign({ user_id, session_id: randomUUID(), email: 'bench@example.org' }, Date.now())
      return {
        ...openBenchConnection(url, { authorization: `Bearer ${token}`, 'x-forwarded-for': address }),
        listen: () => listen(url, token, address),
        hint() {
          const cursor_ts = new Date().toISOString()
          otherNode.tell(user_id, { type: 'sync.changed', cursor_ts, entity_types: ['messages'], device_id: 'another' })
        },
      }
    },
    async usage() {
      const [row] = await sql<{ wal: number; disk: number }[]>`
        select (pg_current_wal_lsn() - '0/0')::float8 as wal, pg_database_size(current_database())::float8 as disk`
      return {
        node: processMilliseconds(server.pid ?? 0),
        postgres: treeMilliseconds(Number(pid)),
        redis: processMilliseconds(redis.pid),
        wal: row?.wal ?? 0,
        disk: row?.disk ?? 0,
      }
    },
    async redisMemory() {
      return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
    },
    async forget() {
      await client.flushdb()
    },
    async stop() {
      await sql.end()
      await client.quit()
      await otherNode.close()
      await cache.close()
      provider.kill('SIGTERM')
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await redis.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
