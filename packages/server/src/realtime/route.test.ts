// `/ws` on one node with the in-process cache.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { limits } from '@tandem/contract/limits'
import { problems } from '@tandem/contract/problem'
import { wsSubprotocol } from '@tandem/contract/ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signedIn, startNode, TestClient, type TestNode, testUser } from '../../test/support/test-node.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import { newId } from '../http/id.ts'
import { openHub } from './hub.ts'
import { messagesPerTurn } from './socket-timeouts.ts'

const cache = openInProcessCache({ log: () => undefined })
let node: TestNode
let clock = 0

beforeAll(async () => {
  node = await startNode(cache, { cors_origins: ['https://app.example.org'], now: () => Date.now() + clock })
})

afterAll(async () => {
  await node.close()
  await cache.close()
})

const ts = '2026-09-21T07:40:12.345Z'
const presence = { type: 'device.presence', device_id: 'mara-laptop', presence: 'online', ts } as const

describe('authentication', () => {
  test('with the token as a subprotocol, which is not echoed', async () => {
    const user = await testUser()
    const client = await signedIn(node, user)
    expect(client.socket.protocol).toBe(wsSubprotocol)
    expect(client.messages).toEqual([{ type: 'hello', session_id: user.session_id, server_ts: expect.any(String), epoch: 'e1' }])
    client.close()
  })

  test('with the token in the first message, and again with the next token', async () => {
    const user = await testUser()
    const client = await new TestClient(node).opened()
    client.say({ type: 'auth', token: user.token, device_id: 'mara-laptop' })
    await client.heard('hello')
    client.say({ type: 'auth', token: (await testUser(user)).token })
    await client.heard('hello', 2)
    client.close()
  })

  test.each([
    ['no token at all', 'x'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.e30.'],
  ])('%s closes with 4401', async (_name, token) => {
    const client = await new TestClient(node).opened()
    client.say({ type: 'auth', token })
    expect(await client.ended()).toEqual({ code: 4401, reason: 'unauthorized' })
  })

  test('an expired token closes with 4401', async () => {
    const client = new TestClient(node, { token: (await testUser({}, -60)).token })
    expect(await client.ended()).toEqual({ code: 4401, reason: 'unauthorized' })
  })

  test('a session that has ended closes with 4409', async () => {
    const user = await testUser()
    await node.ended.add(user.user_id, [user.session_id])
    expect(await new TestClient(node, { token: user.token }).ended()).toEqual({ code: 4409, reason: 'session_ended' })
  })

  test('a socket never changes its user', async () => {
    const client = await signedIn(node, await testUser())
    client.say({ type: 'auth', token: (await testUser()).token })
    expect(await client.ended()).toEqual({ code: 4401, reason: 'unauthorized' })
  })

  test('a token in the URL, a header or a cookie is ignored', async () => {
    const { token } = await testUser()
    const headers = { authorization: `Bearer ${token}`, cookie: `token=${token}; access_token=${token}` }
    const client = await new TestClient(node, { path: `?token=${token}&access_token=${token}`, headers }).opened()
    client.say({ type: 'ping' })
    await client.heard('error')
    expect(client.messages).toEqual([
      { type: 'error', code: 'unauthorized', detail: 'the first message must be auth', remedy: problems.unauthorized.remedy },
    ])
    client.close()
  })

  test('a socket without a token is closed with 4408, and an expired token closes with 4401', async () => {
    const silent = await new TestClient(node).opened()
    const client = await signedIn(node, await testUser())
    try {
      clock = limits.ws_auth_seconds * 1_000
      expect(await silent.ended()).toEqual({ code: 4408, reason: 'auth_timeout' })
      expect(client.closed).toBe(undefined)
      clock = limits.access_token_seconds * 1_000
      expect(await client.ended()).toEqual({ code: 4401, reason: 'unauthorized' })
    } finally {
      clock = 0
    }
  })

  test('an account cannot exceed its number of sockets; one that closes frees a place', async () => {
    const user = await testUser()
    const clients = await Promise.all(Array.from({ length: limits.ws_sockets_per_user }, () => signedIn(node, user)))
    expect(await new TestClient(node, { token: user.token }).ended()).toEqual({ code: 4430, reason: 'too_many_sockets' })
    clients[0]?.socket.close()
    await clients[0]?.ended()
    await expect.poll(async () => (await new TestClient(node, { token: user.token }).heard('hello')).length).toBe(1)
    for (const client of clients) client.close()
  })
})

describe('origins', () => {
  const ownHost = (): string => node.url.replace('ws://', '').replace('/ws', '')

  test.each([
    'https://evil.example.org',
    'https://app.example.org.evil.example',
    'http://app.example.org',
    'https://app.example.org:8443',
    'https://app.example.org/',
    'http://localhost.evil',
    'http://localhost',
    'null',
    'file://',
    '',
  ])('%s is closed with 4403, whatever token it has', async (origin) => {
    const { token } = await testUser()
    const client = new TestClient(node, { token, headers: { origin } })
    expect(await client.ended()).toEqual({ code: 4403, reason: 'origin_refused' })
    expect(client.messages).toEqual([])
  })

  test('the same with the header of an old protocol version', async () => {
    const { token } = await testUser()
    const client = new TestClient(node, { token, headers: { 'sec-websocket-origin': 'https://evil.example.org' } })
    expect(await client.ended()).toEqual({ code: 4403, reason: 'origin_refused' })
  })

  test('a configured page, a page of this host, and a program that is not a browser are accepted', async () => {
    const { token } = await testUser()
    for (const origin of ['https://app.example.org', `http://${ownHost()}`, `https://${ownHost()}`]) {
      const client = new TestClient(node, { token, origin })
      await client.heard('hello')
      client.close()
    }
  })
})

describe('messages', () => {
  test('a ping is answered with its id and the time', async () => {
    const client = await signedIn(node, await testUser())
    client.say({ type: 'ping', id: '7' })
    client.say({ type: 'ping' })
    expect(await client.heard('pong', 2)).toEqual([
      { type: 'pong', id: '7', server_ts: expect.any(String) },
      { type: 'pong', server_ts: expect.any(String) },
    ])
    client.close()
  })

  test('invalid messages get an error, and after a few the socket is closed', async () => {
    const client = await signedIn(node, await testUser())
    const nonsense = ['{', '[]', '"x"', '{"type":"exec"}', '{"type":"ping","__proto__":{"x":1}}', '{"type":"auth"}']
    for (const text of nonsense) client.say(text)
    expect(await client.ended()).toEqual({ code: 1008, reason: 'misbehaved' })
    expect(client.messages.slice(1).map((message) => message.type === 'error' && message.code)).toEqual(Array(5).fill('invalid_request'))
  })

  test('binary is not a message', async () => {
    const client = await signedIn(node, await testUser())
    client.socket.send(Buffer.from('{"type":"ping"}'), { binary: true })
    expect(await client.heard('error')).toMatchObject([{ code: 'invalid_request' }])
    client.close()
  })

  test('a huge message is closed with 4413, in one frame or many, before it is read', async () => {
    const user = await testUser()
    const client = await signedIn(node, user)
    client.say('x'.repeat(limits.ws_message_bytes + 1))
    expect(await client.ended()).toEqual({ code: 4413, reason: 'message_too_big' })
    const other = await signedIn(node, user)
    other.say('x'.repeat(20 * 1024 * 1024))
    expect((await other.ended())?.code).toSatisfy((code: number) => code === 4413 || code === 1006)
  })

  test('a flood of messages closes its own socket and delays no one', async () => {
    const user = await testUser()
    const [flooder, other] = await Promise.all([signedIn(node, user), signedIn(node, user)])
    for (let index = 0; index < 10_000; index += 1) flooder.say({ type: 'ping' })
    other.say({ type: 'ping', id: 'still here' })
    await other.heard('pong')
    expect(await flooder.ended()).toEqual({ code: 1008, reason: 'misbehaved' })
    expect(flooder.messages.length).toBeLessThanOrEqual(messagesPerTurn + 1)
    other.close()
  })

  test('a flood of pings closes the socket too', async () => {
    const client = await signedIn(node, await testUser())
    for (let index = 0; index < 10_000; index += 1) client.socket.ping('x'.repeat(100))
    expect(await client.ended()).toEqual({ code: 1008, reason: 'misbehaved' })
  })

  test('a hint reaches every socket of that user and no others', async () => {
    const [mara, jonas] = await Promise.all([testUser(), testUser()])
    const clients = await Promise.all([signedIn(node, mara), signedIn(node, mara), signedIn(node, jonas)])
    node.hub.tell(mara.user_id, presence)
    await Promise.all([clients[0].heard('device.presence'), clients[1].heard('device.presence')])
    node.hub.tell(jonas.user_id, { ...presence, device_id: 'jonas-desktop' })
    await clients[2].heard('device.presence')
    expect(clients.map((client) => client.messages.slice(1))).toEqual([
      [presence],
      [presence],
      [{ ...presence, device_id: 'jonas-desktop' }],
    ])
    for (const client of clients) client.close()
  })

  test("ending a session closes its sockets and leaves the user's others open", async () => {
    const user = await testUser()
    const other = await testUser({ user_id: user.user_id })
    const [first, second] = await Promise.all([signedIn(node, user), signedIn(node, other)])
    node.hub.endSessions(user.user_id, [user.session_id, newId(0)])
    expect(await first.ended()).toEqual({ code: 4409, reason: 'session_ended' })
    second.say({ type: 'ping' })
    await second.heard('pong')
    second.close()
  })

  test('the hub counts the authenticated sockets', async () => {
    const hub = openHub(cache, () => undefined)
    const member = { session_id: undefined, tell: () => undefined, endSession: () => undefined }
    const { user_id } = await testUser()
    await hub.join(user_id, member)
    expect(hub.sockets).toBe(1)
    hub.leave(user_id, member)
    hub.leave(user_id, member)
    expect(hub.sockets).toBe(0)
    await hub.close()
  })
})

test('a plain request gets 426', async () => {
  const reply = await node.app.inject({ url: '/ws' })
  expect([reply.statusCode, reply.json().code]).toEqual([426, 'upgrade_required'])
})

test.each(['/plain', '/nowhere', '/wsx', '/ws/x'])('an upgrade at %s is ignored, and the connection stays usable', async (path) => {
  const socket = connect(Number(new URL(node.url).port), '127.0.0.1')
  const wish = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${wish}\r\n\r\n`)
  await once(socket, 'data')
  socket.write('GET /plain HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK.*plain$/s)
})

test('the sockets per address and minute are limited', async () => {
  // One more is allowed every second: the clock is stopped, however long they take.
  const still = openInProcessCache({ log: () => undefined, clock: { now: () => 0, every: () => () => undefined } })
  const counting = await startNode(still)
  const headers = { 'x-forwarded-for': '192.0.2.7' }
  const clients = Array.from({ length: 61 }, () => new TestClient(counting, { headers }))
  await Promise.all(
    clients.map((client) => (client.socket.readyState === WebSocket.OPEN ? client : Promise.race([client.opened(), client.ended()]))),
  )
  expect(clients.filter((client) => client.status === 429).length).toBe(1)
  for (const client of clients) client.close()
  await counting.close()
  await still.close()
})

test('a node that shuts down notifies each of its sockets', async () => {
  const leaving = await startNode(cache)
  const clients = await Promise.all(Array.from({ length: 30 }, async () => signedIn(leaving, await testUser())))
  await leaving.close()
  expect(await Promise.all(clients.map((client) => client.ended()))).toEqual(Array(30).fill({ code: 1012, reason: 'restart' }))
})
