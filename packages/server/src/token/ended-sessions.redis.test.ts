// The token of an ended session is refused by every node, in any state of the cache. Two nodes, real servers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../test/support/test-app.ts'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { ask, startTestRedisCluster } from '../../test/support/test-redis-topology.ts'
import { endSessions } from '../account/session-store.ts'
import { openCache } from '../cache/cache.ts'
import { type EndedSessions, openEndedSessions } from './ended-sessions.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await testDatabase()
})
afterAll(() => store.close())

/** Closes what a test opened. */
type Stops = (stop: () => Promise<void>) => void

type Change = (redis: TestRedis, stops: Stops) => Promise<unknown>

/** What happens to the cache before the sign-out, and after it. */
const states: Record<string, { before?: Change; after?: Change }> = {
  'that works': {},
  'that is down': { before: (redis) => redis.kill() },
  'that was down and came back empty': { before: (redis) => redis.kill(), after: (redis) => redis.restart() },
  'that came back with what it had before': {
    async before(redis) {
      await ask(redis, ['save'])
      await redis.kill()
    },
    after: (redis) => redis.restart(),
  },
  'that was emptied': { after: (redis) => ask(redis, ['flushall']) },
  'that became a replica before': { before: becomeReplica },
  'that became a replica afterwards': { after: becomeReplica },
  'that was a replica for a while': { before: becomeReplica, after: (redis) => ask(redis, ['replicaof', 'no', 'one']) },
  'that hangs': { before: async (redis) => redis.freeze(), after: async (redis) => redis.thaw() },
  'that is full': {
    async before(redis) {
      await ask(redis, ['config', 'set', 'maxmemory-policy', 'noeviction'])
      await ask(redis, ['config', 'set', 'maxmemory', '1'])
    },
  },
}

test.concurrent.for(Object.entries(states))('with a cache %s', async ([_, state], { onTestFinished }) => {
  const redis = await startTestRedis()
  onTestFinished(() => redis.stop())
  const nodes = await Promise.all([openNode(redis.url, onTestFinished), openNode(redis.url, onTestFinished)])
  const change = (how?: Change) => how && (() => how(redis, onTestFinished))
  await expectRefused(nodes, change(state.before), change(state.after))
})

test('with a Cluster, complete and with a node down', async ({ onTestFinished }) => {
  const cluster = await startTestRedisCluster()
  onTestFinished(() => cluster.stop())
  const nodes = await Promise.all([openNode(cluster.url, onTestFinished), openNode(cluster.url, onTestFinished)])
  await expectRefused(nodes)
  await expectRefused(nodes, () => cluster.nodes[0]?.kill())
})

test('an open session is checked occasionally, not for every request', async ({ onTestFinished }) => {
  const cache = await openCache({ kind: 'in_process' }, () => undefined)
  onTestFinished(() => cache.close())
  let time = 1_000_000
  let asked = 0
  const database: typeof store.database = {
    ...store.database,
    asAccounts(work) {
      asked += 1
      return store.database.asAccounts(work)
    },
  }
  const sessions = openEndedSessions({ cache, database, now: () => time })
  const { user_id, session_id } = await openSession()
  for (const step of [0, 1_000, 3_999]) {
    time += step
    expect(await sessions.has(user_id, session_id)).toBe(false)
  }
  expect(asked).toBe(1)
  time += 1
  expect(await sessions.has(user_id, session_id)).toBe(false)
  expect(asked).toBe(2)
})

test('a session that was never used here can be signed out, and so can an account', async ({ onTestFinished }) => {
  const cache = await openCache({ kind: 'in_process' }, () => undefined)
  onTestFinished(() => cache.close())
  const [sessions, other] = [cache, await openCache({ kind: 'in_process' }, () => undefined)].map((one) =>
    openEndedSessions({ cache: one, database: store.database, now: Date.now }),
  )
  const [user, session] = [randomUUID(), randomUUID()]
  await sessions?.add(user, [session])
  expect([await other?.has(user, session), await other?.has(user, randomUUID())]).toEqual([true, false])
  const gone = await openSession()
  await store.database.owner`insert into tandem.deleted_accounts (user_id, deleted_at) values (${gone.user_id}, now())`
  expect(await other?.has(gone.user_id, gone.session_id)).toBe(true)
})

test('while neither the cache nor the database answers, no token is accepted', async ({ onTestFinished }) => {
  const redis = await startTestRedis()
  onTestFinished(() => redis.stop())
  const cache = await openCache({ kind: 'redis', url: redis.url }, () => undefined)
  const backend = await testApp({ services: { cache } })
  onTestFinished(() => cache.close())
  onTestFinished(() => backend.close())
  const { headers } = await backend.user()
  const profile = async () => (await backend.app.inject({ url: '/api/v1/users/profile', headers })).statusCode
  expect(await profile()).toBe(200)
  await redis.kill()
  expect(await profile()).toBe(200)
  await backend.services.database.close()
  expect(await profile()).toBe(503)
})

interface Session {
  readonly user_id: string
  readonly session_id: string
}

async function openSession(): Promise<Session> {
  const [user_id, session_id] = [randomUUID(), randomUUID()]
  await store.database.owner`
    insert into tandem.sessions (user_id, session_id, created_at, last_used) values (${user_id}, ${session_id}, now(), now())`
  return { user_id, session_id }
}

async function openNode(url: string, stops: Stops): Promise<EndedSessions> {
  const cache = await openCache({ kind: 'redis', url }, () => undefined)
  stops(() => cache.close())
  return openEndedSessions({ cache, database: store.database, now: Date.now })
}

async function becomeReplica(redis: TestRedis, stops: Stops): Promise<void> {
  const another = await startTestRedis()
  stops(() => another.stop())
  await ask(redis, ['replicaof', '127.0.0.1', String(another.port)])
}

/** Ten sessions, used on both nodes, signed out on the first. */
async function expectRefused(nodes: readonly EndedSessions[], before?: () => unknown, after?: () => unknown): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: 10 }, openSession))
  const ended = () => Promise.all(sessions.flatMap(({ user_id, session_id }) => nodes.map((node) => node.has(user_id, session_id))))
  expect(await ended()).toEqual(Array.from({ length: 20 }, () => false))
  await before?.()
  await Promise.all(
    sessions.map(async ({ user_id, session_id }) => {
      await store.database.owner.begin((sql) => endSessions(sql, user_id, { session_id }, Date.now()))
      await nodes[0]?.add(user_id, [session_id])
    }),
  )
  expect(await ended()).toEqual(Array.from({ length: 20 }, () => true))
  await after?.()
  expect(await ended()).toEqual(Array.from({ length: 20 }, () => true))
}
