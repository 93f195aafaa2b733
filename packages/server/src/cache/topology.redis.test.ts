// ACL users, Clusters, Sentinels, and a primary that becomes a replica: all with real servers.
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { ask, startSlowSentinel, startTestRedisCluster, startTestSentinel } from '../../test/support/test-redis-topology.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { type Cache, CacheUnavailable, openCache } from './cache.ts'
import { probeCache } from './probe.ts'

const limit = { points: 2, seconds: 60 }
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function open(url: string, password?: string, lines: string[] = []): Promise<Cache> {
  const cache = await openCache({ kind: 'redis', url, ...(password === undefined ? {} : { password }) }, (line) => lines.push(line))
  stops.push(() => cache.close())
  return cache
}

async function redis(options?: Parameters<typeof startTestRedis>[0]): Promise<TestRedis> {
  const started = await startTestRedis(options)
  stops.push(() => started.stop())
  return started
}

const probe = (url: string, password?: string) => probeCache({ kind: 'redis', url, ...(password === undefined ? {} : { password }) }, 3_000)

test('a user of the access control list authenticates with CACHE_PASSWORD', async () => {
  const rules = [
    'user default off',
    'user app on >right ~tandem:* &tandem:* +@all -@dangerous +info',
    'user reader on >right ~tandem:* &tandem:* +@read +@connection +info',
  ]
  const { port } = await redis({
    async args(folder) {
      await writeFile(join(folder, 'users.acl'), `${rules.join('\n')}\n`)
      return ['--aclfile', join(folder, 'users.acl')]
    },
  })
  const at = (user: string) => `redis://${user}127.0.0.1:${port}`
  expect(await probe(at('app@'), 'right')).toBe(undefined)
  const cache = await open(at('app@'), 'right')
  await useEverything(cache)
  expect(await probe(at('app@'), 'wrong')).toBe(`CACHE_PASSWORD: refused by the cache at 127.0.0.1:${port}`)
  expect(await probe(at('reader@'), 'right')).toBe(
    `CACHE_URL: the user of the cache at 127.0.0.1:${port} does not have permission to run the required commands`,
  )
})

test('a Cluster stores keys of many users, delivers messages to everyone, and recovers from the loss of a node', async () => {
  const cluster = await startTestRedisCluster()
  stops.push(() => cluster.stop())
  expect(await probe(cluster.url)).toBe(undefined)
  // Every node has some of the keys; none of them is mistaken for a single Redis, in any attempt.
  for (const { port } of [...cluster.nodes, ...cluster.nodes, ...cluster.nodes]) {
    expect(await probe(`redis://127.0.0.1:${port}`)).toBe(
      `CACHE_URL: the cache at 127.0.0.1:${port} is part of a Cluster; use redis+cluster://`,
    )
  }
  const [one, other] = [await open(cluster.url), await open(cluster.url)]
  await useEverything(one)

  // Many at once, on all nodes: none of them is counted by this process alone.
  const admitted = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const own = randomUUID()
      const windows = [`address:${n}`, `user:${own}`].map((key) => ({ key, window: limit }))
      return Promise.all([one.admit(windows, `session:${own}`), one.enter([{ key: `calls:${own}`, window: limit, cost: 1 }])])
    }),
  )
  expect(admitted.flat().flatMap(({ takes }) => takes.filter(({ degraded }) => degraded))).toEqual([])

  // More users than nodes: their keys are distributed, and still read and deleted together.
  const users = Array.from({ length: 12 }, () => randomUUID())
  const keys = users.flatMap((user) => [`presence:${user}:a`, `presence:${user}:b`])
  await Promise.all(keys.map((key) => one.set(key, key, 60)))
  expect(await other.getMany([...keys, 'missing'])).toEqual([...keys, undefined])
  const sizes = await Promise.all(cluster.nodes.map((node) => ask(node, ['dbsize'])))
  expect(sizes.every((size) => Number(size) > 0)).toBe(true)
  await other.delete(...keys)
  expect(await one.getMany(keys)).toEqual(keys.map(() => undefined))

  const heard: string[] = []
  await other.subscribe('user:x', (message) => heard.push(message))
  await one.publish('user:x', 'hello')
  await waitFor(() => heard.length === 1)

  // Every node in turn, so that the one with the subscription is lost once too.
  for (const node of cluster.nodes) {
    await node.kill()
    await waitFor(
      async () => (await Promise.allSettled(keys.map((key) => one.get(key)))).some(({ status }) => status === 'rejected'),
      40_000,
    )
    // The node is started again only after this: no call waits for it.
    await Promise.allSettled(keys.map((key) => one.set(key, 'x', 60)))
    await node.restart()
    await waitFor(() => worksFor(one, keys), 20_000)
    await waitFor(() => worksFor(other, keys), 20_000)
  }
  // A message may arrive after its publication has returned.
  const before = heard.length
  await waitFor(async () => {
    await one.publish('user:x', 'again').catch(() => undefined)
    return heard.length > before
  }, 20_000)
})

test('Sentinels lead to the primary, and to the next one after it failed', async () => {
  const watched = await startTestSentinel()
  stops.push(() => watched.stop())
  expect(await probe(watched.url)).toBe(undefined)
  expect(await probe(watched.url.replace(/main$/, 'other'))).toContain('knows a primary called other')
  const cache = await open(watched.url)
  await useEverything(cache)
  const heard: string[] = []
  await cache.subscribe('news', (message) => heard.push(message))
  await watched.primary.kill()
  await waitFor(() => worksFor(cache, ['after']), 30_000)
  expect(await ask(watched.replica, ['get', 'tandem:after'])).toBe('x')
  await waitFor(async () => {
    await cache.publish('news', 'after').catch(() => undefined)
    return heard.length > 0
  }, 20_000)
})

test('a failover while the Sentinels are queried for the primary', async () => {
  const watched = await startTestSentinel()
  stops.push(() => watched.stop())
  const slow = await startSlowSentinel(watched)
  stops.push(() => slow.stop())
  const cache = await open(slow.url)
  const heard: string[] = []
  await cache.subscribe('news', (message) => heard.push(message))
  slow.hold()
  await watched.primary.kill()
  // The connection for commands and the one for messages.
  await waitFor(() => slow.told() === 2, 30_000)
  slow.answer()
  await waitFor(() => worksFor(cache, ['after']), 20_000)
  await waitFor(async () => {
    await cache.publish('news', 'after').catch(() => undefined)
    return heard.length > 0
  }, 20_000)
})

test('a primary that became a replica is down until it accepts writes again', async () => {
  const lines: string[] = []
  const [mine, another] = [await redis(), await redis()]
  const cache = await open(mine.url, undefined, lines)
  await cache.set('a', 'before', 60)
  await ask(mine, ['replicaof', '127.0.0.1', String(another.port)])
  await expect(cache.ping()).rejects.toThrow(CacheUnavailable)
  await expect(cache.get('a')).rejects.toThrow(CacheUnavailable)
  expect(await cache.take('k', limit)).toMatchObject({ allowed: true, degraded: true })
  expect(await probe(mine.url)).toBe(
    `CACHE_URL: the cache at 127.0.0.1:${mine.port} is a read-only replica; use the address of the primary, or of its Sentinels`,
  )
  await ask(mine, ['replicaof', 'no', 'one'])
  await waitFor(() => worksFor(cache, ['a']), 40_000)
  expect(lines.filter((line) => /replica/.test(line))).toEqual(['cache: commands are not available: it has become a read-only replica'])
})

test('a replica is detected even if it gets only reads', async () => {
  const [mine, another] = [await redis(), await redis()]
  const cache = await open(mine.url)
  await ask(mine, ['replicaof', '127.0.0.1', String(another.port)])
  await waitFor(
    () =>
      cache.get('a').then(
        () => false,
        (error: unknown) => error instanceof CacheUnavailable,
      ),
    40_000,
  )
})

/** With a window of an address, a Cluster would need two nodes: then only the caller announces. */
async function admitAndAnnounce(cache: Cache, user: string): Promise<void> {
  const window = { points: 5, seconds: 60 }
  const proof = { key: `proof:${user}`, above: 1, most: 3 }
  const announcement = {
    limit: { key: `limit:${user}`, window },
    ...{ key: `value:${user}`, value: 'here', seconds: 60 },
    mark: { key: `mark:${user}`, seconds: 60 },
  }
  await cache.set(proof.key, '2', 60)
  const own = { key: `user:${user}`, window }
  const alone = await cache.admitAndAnnounce([own], proof, announcement)
  expect(alone).toMatchObject({ takes: [{ allowed: true, degraded: false }], value: '2', announced: { isNew: true, marked: true } })
  const both = await cache.admitAndAnnounce([{ key: `address:${user.slice(0, 8)}`, window }, own], proof, announcement)
  expect(both).toMatchObject({ takes: [{ allowed: true, degraded: false }, { allowed: true }], value: '2' })
  const announced = both.announced ?? (await cache.announce(announcement))
  expect([announced, await cache.get(`value:${user}`)]).toMatchObject([{ isNew: false, marked: false }, 'here'])
}

async function useEverything(cache: Cache): Promise<void> {
  const user = randomUUID()
  await cache.ping()
  await cache.set(`a:${user}`, 'b', 60)
  expect([await cache.get(`a:${user}`), await cache.add(`a:${user}`, 'c', 60), await cache.add(`c:${user}`, 'd', 60)]).toEqual([
    'b',
    false,
    true,
  ])
  expect(await cache.getMany([`a:${user}`, 'nothing', `c:${user}`])).toEqual(['b', undefined, 'd'])
  expect([await cache.take(`t:${user}`, limit), await cache.take(`t:${user}`, limit), await cache.take(`t:${user}`, limit)]).toMatchObject([
    { allowed: true, degraded: false },
    { allowed: true, degraded: false },
    { allowed: false, degraded: false },
  ])
  const entry = { key: `e:${user}`, value: 'mine', seconds: 60 }
  const charge = { key: `w:${user}`, window: limit, cost: 1 }
  expect(await cache.enter([charge, { ...charge, key: `v:${user}` }], entry)).toMatchObject({
    takes: [{ allowed: true, degraded: false }, { allowed: true }],
    entry: 'added',
  })
  await cache.leave(charge, entry)
  expect([await cache.get(entry.key), (await cache.enter([charge], entry)).takes[0]?.allowed]).toEqual([undefined, false])
  await admitAndAnnounce(cache, user)
  await cache.delete(`a:${user}`, `c:${user}`, 'nothing')
  expect(await cache.getMany([`a:${user}`, `c:${user}`])).toEqual([undefined, undefined])
  const heard: string[] = []
  const leave = await cache.subscribe(`user:${user}`, (message) => heard.push(message))
  await cache.publish(`user:${user}`, 'hello')
  await waitFor(() => heard.length === 1)
  await leave()
}

async function worksFor(cache: Cache, keys: readonly string[]): Promise<boolean> {
  const outcomes = await Promise.allSettled(keys.map((key) => cache.set(key, 'x', 60)))
  return outcomes.every(({ status }) => status === 'fulfilled')
}
