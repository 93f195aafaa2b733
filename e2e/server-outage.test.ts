// PostgreSQL, Redis and the disk fail and recover under load. The server keeps running, reports it, and loses nothing.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tandem/contract/http/schema'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { startTestRedis, type TestRedis } from '../packages/server/test/support/test-redis.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change, upload } from '../packages/server/test/support/user-with-data.ts'
import { emptyDatabase, type TestDatabase, urlOf } from './server-database.ts'
import { type Account, acknowledgedCount, lostChanges, openAccount, startLoad } from './server-load.ts'
import { endServers, launcher, startServerProcess, type Variables } from './server-process.ts'
import { recordSocket } from './socket-recorder.ts'

const password = randomBytes(16).toString('hex')
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-outage-'))
})
afterEach(async () => {
  await endServers()
  await rm(folder, { recursive: true, force: true })
})

test('PostgreSQL stopped repeatedly under load: 503 with Retry-After, nothing lost, no restart needed', async () => {
  const startPostgres = () => startEmbeddedPostgres({ dir: join(folder, 'cluster'), password, log: () => undefined })
  let postgres = await startPostgres()
  try {
    const server = await startServerProcess({
      LOG_LEVEL: 'warn',
      DATA_DIR: join(folder, 'data'),
      BAAS_URL: urlOf(postgres.url),
      BAAS_KEY: password,
    })
    const accounts = [await openAccount(server.url), await openAccount(server.url)]
    // Slow enough for the rate limit of a user, however long the database is down.
    const load = startLoad([server.url], accounts, { devices: 3, pauseMs: 300 })
    const refused = () => load.journal.refusals.get('503 database_unavailable 2') ?? 0
    for (let round = 0; round < 3; round += 1) {
      const before = load.count()
      await waitFor(() => load.count() > before + 20, 40_000)
      const refusedBefore = refused()
      await postgres.stop()
      await waitFor(async () => (await callRoute(server.url, 'ready')).status === 503)
      await expect
        .poll(async () => {
          const health = await callRoute(server.url, 'health')
          return [health.status, health.body.status, health.body.parts[0].status]
        })
        .toEqual([200, 'degraded', 'failing'])
      await waitFor(() => refused() > refusedBefore)
      postgres = await startPostgres()
      await waitFor(async () => (await callRoute(server.url, 'ready')).status === 200, 40_000)
    }
    const before = load.count()
    await waitFor(() => load.count() > before + 20, 40_000)
    const journal = await load.stop()

    expect(journal.broken).toEqual([])
    const expected = ['503 database_unavailable 2', '503 overloaded 1']
    expect([...journal.refusals.keys()].filter((refusal) => !expected.includes(refusal))).toEqual([])
    expect(journal.refusals.get('503 database_unavailable 2')).toBeGreaterThan(0)
    expect(acknowledgedCount(journal)).toBeGreaterThan(300)
    expect(await lostChanges(server.url, accounts, journal)).toEqual([])
    expect(server.output()).not.toMatch(/unhandled|internal_error|request failed/i)
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
  } finally {
    await postgres.stop()
  }
})

describe('Redis', () => {
  let redis: TestRedis
  let database: TestDatabase
  let variables: Variables
  beforeEach(async () => {
    redis = await startTestRedis()
    database = await emptyDatabase()
    variables = {
      LOG_LEVEL: 'warn',
      DATA_DIR: join(folder, 'data'),
      BAAS_URL: database.url,
      BAAS_KEY: database.password,
      BAAS_JWT_SECRET: randomBytes(32).toString('hex'),
      CACHE_URL: redis.url,
      TRUST_PROXY: 'loopback',
    }
  })
  afterEach(async () => {
    await endServers()
    redis.thaw()
    await redis.stop()
    await database[Symbol.asyncDispose]()
  })

  test('killed: the API uses local limits; back: nodes receive hints from each other and share limits again', async () => {
    const [left, right] = await Promise.all([startServerProcess(variables), startServerProcess(variables)])
    const account = await openAccount(left.url)
    const ear = await recordSocket(right.url, account.token)

    await redis.kill()
    await waitFor(async () => (await callRoute(left.url, 'health')).body.status === 'degraded')
    expect((await callRoute(left.url, 'ready')).status).toBe(200)
    await everythingServes(left.url, account)
    // One more is allowed every three seconds, and a busy machine may take that long: try another address.
    const limited: number[] = []
    await waitFor(async () => {
      const address = `198.51.100.${7 + limited.length}`
      const all = await Promise.all(Array.from({ length: 25 }, () => badLogin(left.url, address)))
      return limited.push(all.filter((status) => status === 429).length) > 0 && limited.at(-1) === 5
    }).catch(() => expect(limited).toContain(5))

    await redis.restart()
    // Each node has two connections to Redis, each with its own retry delay. A node whose command connection is still down counts on its
    // own, although it already receives hints.
    for (const node of [left, right]) await waitFor(async () => (await callRoute(node.url, 'health')).body.status === 'ok', 15_000)
    // A hello after the outage makes the device pull: hints may have been lost.
    await waitFor(() => ear.heard.filter(({ type }) => type === 'hello').length > 1, 15_000)
    // Hints that failed during the outage are sent again within a second, so others may arrive besides this one.
    await push(left.url, account, 'after', 'phone')
    await waitFor(() => ear.heard.some((message) => message.type === 'sync.changed' && message.device_id === 'phone'))
    // If a command takes more than half a second, the node counts on its own. That happens on a busy machine: try another address.
    const rejected: number[] = []
    await waitFor(async () => {
      const address = `203.0.113.${8 + rejected.length}`
      const both = await Promise.all(Array.from({ length: 24 }, (_, at) => badLogin((at % 2 ? left : right).url, address)))
      return rejected.push(both.filter((status) => status === 429).length) > 0 && rejected.at(-1) === 4
    }, 15_000).catch(() => expect(rejected).toContain(4))
    for (const node of [left, right]) expect(node.output()).not.toMatch(/unhandled|request failed/i)
    ear.close()
  })

  test('frozen: requests still succeed', async () => {
    const server = await startServerProcess(variables)
    const account = await openAccount(server.url)
    redis.freeze()
    await everythingServes(server.url, account)
    expect((await callRoute(server.url, 'health')).body.status).toBe('degraded')
    redis.thaw()
    await waitFor(async () => (await callRoute(server.url, 'health')).body.status === 'ok', 15_000)
    await everythingServes(server.url, account)
    expect(server.output()).not.toMatch(/unhandled|request failed/i)
  })

  async function everythingServes(url: string, account: Account): Promise<void> {
    const { token } = account
    await push(url, account, randomBytes(8).toString('hex'))
    expect((await callRoute(url, 'sync_pull', { token })).status).toBe(200)
    expect((await callRoute(url, 'users_profile_get', { token })).status).toBe(200)
    expect((await callRoute(url, 'tasks_create', { token, body: { title: 'tidy', input: '{}' } })).status).toBe(201)
    expect((await callRoute(url, 'files_upload', { token, raw: upload('text', 'a.txt') })).status).toBe(201)
    expect((await callRoute(url, 'device_heartbeat', { token, body: routes.device_heartbeat.examples.body })).status).toBe(200)
    const session = await openAccount(url)
    const ear = await recordSocket(url, session.token)
    ear.close()
    expect((await callRoute(url, 'auth_refresh', { body: { refresh_token: session.refresh_token } })).status).toBe(200)
  }
})

test('a full disk: 503, nothing written partially, and it continues once something is deleted', async () => {
  await using database = await emptyDatabase()
  const files = await mkdtemp(join(folder, 'files-'))
  const variables = { LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'data'), BAAS_URL: database.url, BAAS_KEY: database.password }
  // A private mount of 2 MiB that ends with the server; user namespaces let any user create one.
  const inSmallRoom = launcher('unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"', files, process.execPath)
  const server = await startServerProcess({ ...variables, STORAGE_URL: `file:${files}` }, inSmallRoom)
  const { token } = await openAccount(server.url)
  const put = (bytes: number) => callRoute(server.url, 'files_upload', { token, raw: upload('x'.repeat(bytes), `${bytes}.txt`) })
  const stored = async () =>
    (await readdir(`/proc/${server.pid}/root${files}`, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length
  const listed = async () => (await callRoute(server.url, 'files_list', { token })).body.items.map(({ size }: { size: number }) => size)

  const kept = await put(1_200_000)
  expect(kept.status).toBe(201)
  for (let round = 0; round < 3; round += 1) {
    const refused = await put(1_500_000)
    expect([refused.status, refused.problem?.code, refused.headers.get('retry-after')]).toEqual([503, 'storage_unavailable', '2'])
  }
  expect([await stored(), await listed()]).toEqual([1, [1_200_000]])
  expect((await put(1_000)).status).toBe(201)
  expect((await callRoute(server.url, 'files_delete', { token, params: { id: kept.body.id } })).status).toBe(204)
  expect((await put(1_500_000)).status).toBe(201)
  expect([await stored(), (await listed()).toSorted()]).toEqual([2, [1_000, 1_500_000]])
  await server[Symbol.asyncDispose]()
})

async function push(url: string, { token }: Account, entityId: string, device_id = 'laptop'): Promise<void> {
  const body = { device_id, changes: [change('messages', entityId, { text: 'x' })] }
  expect((await callRoute(url, 'sync_push', { token, body })).status).toBe(200)
}

async function badLogin(url: string, address: string): Promise<number> {
  const body = { email: `${randomBytes(6).toString('hex')}@example.org`, password: 'not the password' }
  return (await callRoute(url, 'auth_login', { body, headers: { 'x-forwarded-for': address } })).status
}
