// Presence on two nodes: real Redis, real sockets, real PostgreSQL; only the clock is a test clock.
import type { Heartbeat } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { signedIn, startNode, type TestNode, testUser } from '../../test/support/test-node.ts'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { type Cache, openCache } from '../cache/cache.ts'
import { type Heartbeats, openHeartbeats } from './heartbeats.ts'

let redis: TestRedis
let ground: TestDatabase
let time = Date.now()
const nodes: { cache: Cache; node: TestNode; heartbeats: Heartbeats }[] = []

beforeAll(async () => {
  redis = await startTestRedis()
  ground = await testDatabase()
  for (let index = 0; index < 2; index += 1) {
    const cache = await openCache({ kind: 'redis', url: redis.url }, () => undefined)
    const node = await startNode(cache)
    const log = pino({ level: 'silent' })
    const heartbeats = openHeartbeats({ cache, database: ground.database, hub: node.hub, now: () => time, log })
    nodes.push({ cache, node, heartbeats })
  }
})

afterAll(async () => {
  for (const { cache, node, heartbeats } of nodes) {
    await heartbeats.close()
    await node.close()
    await cache.close()
  }
  await ground.close()
  await redis.stop()
})

const beat: Heartbeat = {
  ...{ device_id: 'mara-laptop', app_version: '0.1.0', sandbox_mode: 'workspace', running_runs: 0, paused_runs: 0 },
  sync_lag: { pending_changes: 0 },
}

test('a heartbeat on one node is reported on the other as online, and its end as offline, once', async () => {
  const [here, there] = nodes
  if (!here || !there) throw new Error('two nodes are needed')
  const user = await testUser()
  const client = await signedIn(there.node, user)
  const online = await here.heartbeats.record(user.user_id, beat)
  await client.heard('device.presence')
  expect([...(await there.heartbeats.alive(user.user_id, ['mara-laptop'])).keys()]).toEqual(['mara-laptop'])

  // The device continues on the other node: the first one must not report it as silent.
  time += (limits.presence_seconds - 10) * 1_000
  await there.heartbeats.record(user.user_id, beat)
  time += 20_000
  await here.heartbeats.sweep()

  // Redis expires it, as it does when the time is up.
  time += limits.presence_seconds * 1_000
  await here.cache.delete(`presence:${user.user_id}:mara-laptop`)
  await Promise.all([here.heartbeats.sweep(), there.heartbeats.sweep()])
  await client.heard('device.presence', 2)
  client.say({ type: 'ping' })
  await client.heard('pong')
  expect(client.messages.filter((message) => message.type === 'device.presence')).toEqual([
    { type: 'device.presence', device_id: 'mara-laptop', presence: 'online', ts: online },
    { type: 'device.presence', device_id: 'mara-laptop', presence: 'offline', ts: new Date(time).toISOString() },
  ])
  client.close()
})

test('while Redis is down heartbeats are still answered', async () => {
  const [here] = nodes
  if (!here) throw new Error('a node is needed')
  const { user_id } = await testUser()
  await redis.kill()
  try {
    expect(await here.heartbeats.record(user_id, beat)).toBe(new Date(time).toISOString())
    expect([...(await here.heartbeats.alive(user_id, ['mara-laptop'])).keys()]).toEqual(['mara-laptop'])
  } finally {
    await redis.restart()
  }
})
