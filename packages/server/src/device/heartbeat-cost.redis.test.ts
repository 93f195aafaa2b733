// What a heartbeat of an idle device costs, over HTTP with a real Redis and PostgreSQL.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { type Cache, openCache } from '../cache/cache.ts'
import type { Database } from '../database/database.ts'

let redis: TestRedis
let cache: Cache
let backend: TestApp
let url: string
let time = Date.now()

beforeAll(async () => {
  redis = await startTestRedis()
  cache = await openCache({ kind: 'redis', url: redis.url }, () => undefined)
  backend = await testApp({ config: { trust_proxy: 1 }, services: { cache }, now: () => time })
  url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await backend.close()
  await cache.close()
  await redis.stop()
})

function send(user: TestUser, device_id = 'laptop'): Promise<Response> {
  return fetch(`${url}/api/v1/device/heartbeat`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': 'application/json', 'x-forwarded-for': backend.address() },
    body: JSON.stringify({ device_id, ...vitals }),
  })
}

const vitals = { app_version: '0.2.0', sandbox_mode: 'workspace', running_runs: 1, paused_runs: 0, sync_lag: { pending_changes: 3 } }

test('one command and no statement; every third one reads the session in PostgreSQL', async () => {
  const user = await backend.user()
  const reads = countReads(backend.services.database)
  const monitor = await new Redis(redis.url).monitor()
  let commands: string[] = []
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    const text = args.join(' ')
    if (source !== 'lua' && text.includes(user.user_id)) commands.push(args[0] ?? '')
  })
  const beat = async () => {
    commands = []
    const before = reads.count
    expect((await send(user)).status).toBe(200)
    // Redis has reported everything that came before this.
    await cache.set(`end:${user.user_id}`, 'x', 1)
    await waitFor(() => commands.at(-1)?.toLowerCase() === 'set')
    time += 30_000
    return { commands: commands.slice(0, -1).map((name) => name.toLowerCase()), reads: reads.count - before }
  }
  await beat() // registers the device
  const beats = []
  for (let n = 0; n < 6; n += 1) beats.push(await beat())
  monitor.disconnect()
  const idle = { commands: ['evalsha'], reads: 0 }
  const looking = { commands: ['evalsha', 'evalsha', 'evalsha'], reads: 1 }
  expect(beats.map(({ commands, reads }) => ({ commands: commands.toSorted(), reads }))).toEqual([idle, idle, looking, idle, idle, looking])
})

test('a heartbeat that would store something checks the session in PostgreSQL first', async () => {
  const user = await backend.user()
  expect((await send(user)).status).toBe(200)
  // The session ends on a node that cannot reach the cache: there is no mark, and the last result is half a minute old.
  await backend.services.database.owner`update tandem.sessions set ended_at = now() where user_id = ${user.user_id}`
  time += 30_000
  expect((await send(user)).status).toBe(200)
  const refused = await send(user, 'phone')
  expect([refused.status, Object(await refused.json()).code]).toEqual([401, 'session_ended'])
  const devices = await backend.services.database.owner<{ device_id: string }[]>`
    select device_id from tandem.devices where user_id = ${user.user_id}`
  expect(devices.map(({ device_id }) => device_id)).toEqual(['laptop'])
  // Everything else is refused at once.
  const profile = await backend.app.inject({ url: '/api/v1/users/profile', headers: user.headers, remoteAddress: backend.address() })
  expect([profile.statusCode, profile.json().code]).toEqual([401, 'session_ended'])
})

/** Counts the transactions of both roles. */
function countReads(database: Database): { count: number } {
  const reads = { count: 0 }
  const { asUser, asAccounts } = database
  Object.assign(database, {
    asUser: (...args: Parameters<typeof asUser>) => {
      reads.count += 1
      return asUser(...args)
    },
    asAccounts: (...args: Parameters<typeof asAccounts>) => {
      reads.count += 1
      return asAccounts(...args)
    },
  })
  return reads
}
