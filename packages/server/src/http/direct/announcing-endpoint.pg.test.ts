// A request whose work is done in the round trip of its checks passes the same checks, in the same order, as one that sends its body later.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../../test/support/test-app.ts'
import { waitFor } from '../../../test/support/test-wait.ts'
import { type Cache, openCache } from '../../cache/cache.ts'

let backend: TestApp
let url: string
let cache: Cache
/** The commands of the cache, in order. */
let asked: string[] = []
/** Until then, results of announcements are held back. */
let hold: Promise<void> | undefined

beforeAll(async () => {
  const plain = await openCache({ kind: 'in_process' }, () => undefined)
  cache = {
    ...plain,
    admit: (...args) => noted('admit', plain.admit(...args)),
    announce: (...args) => noted('announce', plain.announce(...args)),
    async admitAndAnnounce(...args) {
      const result = await noted('admitAndAnnounce', plain.admitAndAnnounce(...args))
      await hold
      return result
    },
  }
  backend = await testApp({ config: { trust_proxy: 1 }, services: { cache } })
  url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => backend.close())

function noted<T>(name: string, result: T): T {
  asked.push(name)
  return result
}

const vitals = { app_version: '0.2.0', sandbox_mode: 'workspace', running_runs: 1, paused_runs: 0, sync_lag: { pending_changes: 3 } }
const beat = JSON.stringify({ device_id: 'laptop', ...vitals })

async function send(user: TestUser, body = beat, more: Record<string, string> = {}) {
  asked = []
  const usual = { ...user.headers, 'content-type': 'application/json', 'x-forwarded-for': backend.address() }
  const reply = await fetch(`${url}/api/v1/device/heartbeat`, { method: 'POST', headers: { ...usual, ...more }, body })
  return { status: reply.status, code: Object(await reply.json()).code, asked, headers: reply.headers }
}

const presence = (user: TestUser) => cache.get(`presence:${user.user_id}:laptop`)

test('one round trip if the session was open a moment ago, else the checks come first', async () => {
  const user = await backend.user()
  expect(await send(user)).toMatchObject({ status: 200, asked: ['admitAndAnnounce', 'announce'] })
  const { status, asked: then, headers } = await send(user)
  expect([status, then]).toEqual([200, ['admitAndAnnounce']])
  expect([headers.get('content-type'), headers.get('cache-control'), headers.get('ratelimit-limit')]).toEqual([
    'application/json; charset=utf-8',
    'no-store',
    expect.any(String),
  ])
})

test('a body that arrives later is read after the checks', async () => {
  const user = await backend.user()
  await send(user)
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => {
    heard += data.toString('latin1')
  })
  await once(socket, 'connect')
  asked = []
  const address = backend.address()
  const fields = `authorization: Bearer ${user.token}\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\n`
  socket.write(`POST /api/v1/device/heartbeat HTTP/1.1\r\nhost: x\r\n${fields}content-length: ${beat.length}\r\n\r\n${beat.slice(0, 9)}`)
  await waitFor(() => asked.length > 0)
  expect(asked).toEqual(['admit'])
  socket.write(beat.slice(9))
  await waitFor(() => heard.includes('next_in_seconds'))
  expect([asked, heard.slice(0, 15)]).toEqual([['admit', 'announce'], 'HTTP/1.1 200 OK'])
  socket.destroy()
})

test('nothing is announced for a session that has ended, a limit that is used up, or a body that is not valid', async () => {
  const user = await backend.user()
  await send(user)
  const before = await presence(user)
  expect(before).toBeTypeOf('string')

  expect(await send(user, '{}')).toMatchObject({ status: 400, code: 'invalid_request', asked: ['admit'] })
  expect(await send(user, '{')).toMatchObject({ status: 400, code: 'invalid_request', asked: ['admit'] })
  expect(await send(user, '')).toMatchObject({ status: 400, code: 'invalid_request', asked: ['admit'] })
  expect(await send(user, beat, { 'content-type': 'text/plain' })).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  expect(await send(user, beat, { 'content-type': 'application/json; charset=utf-16' })).toMatchObject({ status: 415 })
  expect(await send(user, 'x'.repeat(limits.body_bytes + 1))).toMatchObject({ status: 413, code: 'payload_too_large', asked: ['admit'] })

  await backend.services.endedSessions.add(user.user_id, [user.session_id])
  // Also for a body that is not valid: the session is checked first.
  for (const body of [beat, '{']) expect(await send(user, body)).toMatchObject({ status: 401, code: 'session_ended' })
  expect(await presence(user)).toBe(before)
})

test('a device is refused by its own limit, and nothing is announced', async () => {
  const user = await backend.user()
  const replies = []
  for (let n = 0; n < 40 && replies.at(-1)?.status !== 429; n += 1) replies.push(await send(user))
  expect(replies.at(-1)).toMatchObject({ status: 429, code: 'rate_limited', asked: ['admitAndAnnounce'] })
})

test('a caller that disconnects after the announcement was made leaves no mark without its write', async () => {
  const user = await backend.user()
  await send(user)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  hold = held
  asked = []
  const body = JSON.stringify({ device_id: 'phone', ...vitals })
  const headers = {
    ...user.headers,
    'content-type': 'application/json',
    'x-forwarded-for': backend.address(),
    'content-length': body.length,
  }
  const leaving = request(`${url}/api/v1/device/heartbeat`, { method: 'POST', headers, agent: false })
  leaving.on('error', () => undefined).end(body)
  await waitFor(() => asked.length > 0)
  expect(asked).toEqual(['admitAndAnnounce'])
  const { server } = backend.app
  const open = () => promisify(server.getConnections.bind(server))()
  const before = await open()
  leaving.destroy()
  await waitFor(async () => (await open()) < before)
  hold = undefined
  release()
  const devices = async () => {
    const rows = await backend.services.database.owner<{ device_id: string }[]>`
      select device_id from tandem.devices where user_id = ${user.user_id} order by device_id`
    return rows.map(({ device_id }) => device_id)
  }
  await waitFor(async () => (await devices()).length === 2)
  expect(await devices()).toEqual(['laptop', 'phone'])
})

test('slots are given back, whatever becomes of a request', async () => {
  const user = await backend.user()
  await send(user)
  await Promise.all(Array.from({ length: 12 }, (_, n) => send(user, n % 3 === 0 ? '{' : beat)))
  expect((await (await fetch(`${url}/metrics`)).text()).match(/^tandem_requests_in_flight .*$/m)?.[0]).toBe('tandem_requests_in_flight 0')
  expect(await send(await backend.user())).toMatchObject({ status: 200 })
})
