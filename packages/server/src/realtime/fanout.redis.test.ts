// Two nodes on one Redis.
import type { ServerMessage } from '@tandem/contract/ws'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedIn, startNode, type TestNode, testUser } from '../../test/support/test-node.ts'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { type Cache, openCache } from '../cache/cache.ts'
import type { SyncHint } from './hint.ts'

let redis: TestRedis
let caches: [Cache, Cache]
let here: TestNode
let there: TestNode

beforeAll(async () => {
  redis = await startTestRedis()
  const open = () => openCache({ kind: 'redis', url: redis.url }, () => undefined)
  caches = [await open(), await open()]
  here = await startNode(caches[0])
  there = await startNode(caches[1])
})

afterAll(async () => {
  await Promise.all([here.close(), there.close()])
  await Promise.all(caches.map((cache) => cache.close()))
  await redis.stop()
})

function hint(second: number, device_id = 'mara-laptop', entity_types: SyncHint['entity_types'] = ['agents']): SyncHint {
  return { type: 'sync.changed', cursor_ts: new Date(Date.UTC(2026, 8, 21) + second * 1_000).toISOString(), entity_types, device_id }
}

test('a hint on one node reaches the other, once', async () => {
  const user = await testUser()
  const clients = await Promise.all([signedIn(here, user), signedIn(there, user)])
  here.hub.tell(user.user_id, hint(1))
  await Promise.all(clients.map((client) => client.heard('sync.changed')))
  there.hub.tell(user.user_id, hint(2))
  await Promise.all(clients.map((client) => client.heard('sync.changed', 2)))
  expect(clients.map((client) => client.messages.slice(1))).toEqual([
    [hint(1), hint(2)],
    [hint(1), hint(2)],
  ])
  for (const client of clients) client.close()
})

test('a client that has received hello misses no later hint', async () => {
  for (let round = 0; round < 30; round += 1) {
    const user = await testUser()
    const client = await signedIn(there, user)
    here.hub.tell(user.user_id, hint(round))
    expect(await client.heard('sync.changed')).toEqual([hint(round)])
    client.close()
  }
})

test('ending a session on one node closes its sockets on the other', async () => {
  const user = await testUser()
  const other = await testUser({ user_id: user.user_id })
  const [first, second] = await Promise.all([signedIn(there, user), signedIn(there, other)])
  here.hub.endSessions(user.user_id, [user.session_id])
  expect(await first.ended()).toEqual({ code: 4409, reason: 'session_ended' })
  expect(second.closed).toBe(undefined)
  second.close()
})

test('hints that arrive faster than they can be sent become one per writing device', async () => {
  const user = await testUser()
  const client = await signedIn(here, user)
  for (let index = 1; index <= 500; index += 1) {
    here.hub.tell(user.user_id, hint(index, 'mara-laptop', [index % 2 ? 'agents' : 'todos']))
    here.hub.tell(user.user_id, hint(index, 'mara-desktop'))
  }
  const heard = await client.heard('sync.changed', 3)
  expect(heard).toEqual([hint(1, 'mara-laptop'), hint(500, 'mara-desktop'), hint(500, 'mara-laptop', ['agents', 'todos'])])
  client.close()
})

test('a slow reader is dropped, and the others receive everything immediately', async () => {
  const user = await testUser()
  const [slow, quick] = await Promise.all([signedIn(here, user), signedIn(here, user)])
  slow.socket.pause()
  const bulky: ServerMessage = { type: 'error', code: 'invalid_request', detail: 'x'.repeat(16_000), remedy: 'none' }
  let told = 0
  // Until the kernel's buffers are full too.
  while (here.app.websocketServer.clients.size === 2 && told < 10_000) {
    for (let index = 0; index < 20; index += 1) here.hub.tell(user.user_id, bulky)
    told += 20
    await quick.heard('error', told)
  }
  expect(told).toBeLessThan(10_000)
  slow.socket.resume()
  const { code } = (await slow.ended()) ?? {}
  // A client that does not read does not receive the close message either.
  expect([4429, 1006]).toContain(code)
  expect(slow.messages.length).toBeLessThan(told)
  expect(quick.closed).toBe(undefined)
  quick.close()
})

test('ends of sessions that were lost with the connection are found when it is back', async () => {
  const [stays, goes] = [await testUser(), await testUser()]
  const [first, second] = await Promise.all([signedIn(there, stays), signedIn(there, goes)])
  await there.ended.add(goes.user_id, [goes.session_id])
  const administrator = new Redis(redis.url)
  await administrator.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  administrator.disconnect()
  expect(await second.ended()).toEqual({ code: 4409, reason: 'session_ended' })
  expect(await first.heard('hello', 2)).toEqual([
    { type: 'hello', session_id: stays.session_id, server_ts: expect.any(String), epoch: 'e1' },
    { type: 'hello', session_id: stays.session_id, server_ts: expect.any(String), epoch: 'e1' },
  ])
  first.close()
})

test('Redis is killed and restarted: sockets stay open, local ones are served, everyone is told to pull, hints work again', async () => {
  const user = await testUser()
  const [near, far] = await Promise.all([signedIn(here, user), signedIn(there, user)])
  await redis.kill()
  here.hub.tell(user.user_id, hint(1))
  expect(await near.heard('sync.changed')).toEqual([hint(1)])
  const late = await signedIn(here, await testUser({ user_id: user.user_id }))
  await redis.restart()
  await Promise.all([near.heard('hello', 2), far.heard('hello', 2), late.heard('hello', 2)])
  // Pending hints are sent when it is possible again.
  expect(await far.heard('sync.changed')).toEqual([hint(1)])
  here.hub.tell(user.user_id, hint(2))
  expect(await far.heard('sync.changed', 2)).toEqual([hint(1), hint(2)])
  there.hub.tell(user.user_id, hint(3))
  expect(await late.heard('sync.changed', 2)).toEqual([hint(2), hint(3)])
  expect([near.closed, far.closed, late.closed]).toEqual([undefined, undefined, undefined])
  expect([...here.lines, ...there.lines]).toEqual([])
  for (const client of [near, far, late]) client.close()
})
