// The routes of devices, over HTTP.
import type { Device } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'

let backend: TestApp
let user: TestUser
let base: string

beforeAll(async () => {
  backend = await testApp({ config: { trust_proxy: 1 } })
  base = await backend.app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => backend.close())

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as: TestUser = user) {
  const reply = await fetch(`${base}${url}`, {
    method,
    headers: { ...as.headers, 'x-forwarded-for': backend.address(), ...(payload ? { 'content-type': 'application/json' } : {}) },
    ...(payload ? { body: JSON.stringify(payload) } : {}),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}

const devices = '/api/v1/users/devices'
const laptop = { device_id: 'mara-laptop', name: "Mara's laptop", platform: 'linux', app_version: '0.1.0' }
const vitals = { app_version: '0.2.0', sandbox_mode: 'workspace', running_runs: 1, paused_runs: 0, sync_lag: { pending_changes: 3 } }
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('a device is registered, renamed and read', async () => {
  user = await backend.user()
  const made = { ...laptop, presence: 'offline', created_at: time, last_seen_at: time }
  expect(await call('POST', devices, laptop)).toEqual({ status: 201, body: made })
  expect(await call('POST', devices, { ...laptop, name: 'Work' })).toEqual({ status: 200, body: { ...made, name: 'Work' } })
  expect(await call('GET', `${devices}/mara-laptop`)).toEqual({ status: 200, body: { ...made, name: 'Work' } })
  expect(await call('GET', devices)).toEqual({ status: 200, body: { items: [{ ...made, name: 'Work' }], next_cursor: null } })
})

test('a heartbeat sets a device online, with the reported values', async () => {
  user = await backend.user()
  await call('POST', devices, laptop)
  const beat = await call('POST', '/api/v1/device/heartbeat', { device_id: laptop.device_id, ...vitals })
  expect(beat).toEqual({ status: 200, body: { server_ts: time, next_in_seconds: limits.heartbeat_seconds } })
  const { server_ts: ts } = beat.body
  const online = {
    ...laptop,
    app_version: '0.2.0',
    presence: 'online',
    created_at: time,
    last_seen_at: ts,
    last_heartbeat: { ts, ...vitals },
  }
  expect(await call('GET', devices)).toEqual({ status: 200, body: { items: [online], next_cursor: null } })
  expect(backend.told.filter((one) => one.user_id === user.user_id).map((one) => one.message)).toEqual([
    { type: 'device.presence', device_id: laptop.device_id, presence: 'online', ts },
  ])
})

test('a heartbeat of an unknown device registers it, also with a long or unusual id', async () => {
  user = await backend.user()
  const device_id = `host.example:8080/${'x'.repeat(170)}`
  expect((await call('POST', '/api/v1/device/heartbeat', { device_id, ...vitals })).status).toBe(200)
  const { body } = await call('GET', `${devices}/${encodeURIComponent(device_id)}`)
  expect(body).toMatchObject({ device_id, name: device_id.slice(0, 100), presence: 'online' })
})

test('a removed device disappears with its sessions, and sockets are notified that it is offline', async () => {
  user = await backend.user()
  const login = await backend.app.inject({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress: backend.address(),
    payload: { email: user.email, password: user.password, device_id: laptop.device_id },
  })
  const session = login.json()
  await call('POST', '/api/v1/device/heartbeat', { device_id: laptop.device_id, ...vitals })
  expect(await call('DELETE', `${devices}/mara-laptop`)).toEqual({ status: 204, body: undefined })
  expect(await call('GET', `${devices}/mara-laptop`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await call('DELETE', `${devices}/mara-laptop`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const ended = await backend.app.inject({ url: devices, headers: { authorization: `Bearer ${session.access_token}` } })
  expect([ended.statusCode, ended.json().code]).toEqual([401, 'session_ended'])
  expect(backend.ended.filter((one) => one.user_id === user.user_id)).toEqual([
    { user_id: user.user_id, session_ids: [session.session_id] },
  ])
  expect(
    backend.told.filter((one) => one.user_id === user.user_id).map(({ message }) => 'presence' in message && message.presence),
  ).toEqual(['online', 'offline'])
})

test('pages are sorted from newest to oldest and complete', async () => {
  user = await backend.user()
  const ids = Array.from({ length: 7 }, (_, index) => `device-${index}`)
  for (const device_id of ids) await call('POST', devices, { ...laptop, device_id })
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const { body } = await call('GET', `${devices}?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.items.map((device: Device) => device.device_id))
    cursor = body.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(ids.toReversed())
})

test.each(['x', Buffer.from('["1","2","3"]').toString('base64url'), Buffer.from('["yesterday","a"]').toString('base64url')])(
  'an invalid cursor is refused: %s',
  async (cursor) => {
    user = await backend.user()
    expect(await call('GET', `${devices}?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/query/cursor' }] },
    })
  },
)

test('an account cannot exceed its number of devices, by any route', async () => {
  user = await backend.user()
  await backend.services.database.asUser(user.user_id, async (sql) => {
    await sql`insert into tandem.devices (user_id, device_id, name)
      select ${user.user_id}, 'device-' || n, 'x' from generate_series(1, ${limits.devices}) n`
  })
  const full = { status: 409, body: { code: 'limit_reached', limits: [{ name: 'devices', limit: limits.devices }] } }
  const push = { changes: [] }
  expect(await call('POST', devices, laptop)).toMatchObject(full)
  expect(await call('POST', '/api/v1/device/heartbeat', { device_id: laptop.device_id, ...vitals })).toMatchObject(full)
  expect(await call('POST', '/api/v1/sync/push', { device_id: laptop.device_id, ...push })).toMatchObject(full)
  // Existing devices still work.
  expect((await call('POST', devices, { ...laptop, device_id: 'device-1' })).status).toBe(200)
  expect((await call('POST', '/api/v1/device/heartbeat', { device_id: 'device-2', ...vitals })).status).toBe(200)
  expect((await call('POST', '/api/v1/sync/push', { device_id: 'device-3', ...push })).status).toBe(200)
  expect((await call('DELETE', `${devices}/device-1`)).status).toBe(204)
  expect((await call('POST', devices, laptop)).status).toBe(201)
})

test('concurrent registrations are all counted', async () => {
  user = await backend.user()
  await backend.services.database.asUser(user.user_id, async (sql) => {
    await sql`insert into tandem.devices (user_id, device_id, name)
      select ${user.user_id}, 'device-' || n, 'x' from generate_series(1, ${limits.devices - 2}) n`
  })
  const ways = (no: number) => [
    () => call('POST', devices, { ...laptop, device_id: `new-${no}` }),
    () => call('POST', '/api/v1/sync/push', { device_id: `pushes-${no}`, changes: [] }),
    () => call('POST', '/api/v1/device/heartbeat', { device_id: `beats-${no}`, ...vitals }),
  ]
  const replies = await Promise.all([1, 2, 3].flatMap(ways).map((ask) => ask()))
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(2)
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
})

test("no user can see, rename or remove another user's device", async () => {
  user = await backend.user()
  await call('POST', '/api/v1/device/heartbeat', { device_id: laptop.device_id, ...vitals })
  const stranger = await backend.user()
  expect(await call('GET', devices, undefined, stranger)).toEqual({ status: 200, body: { items: [], next_cursor: null } })
  expect((await call('GET', `${devices}/mara-laptop`, undefined, stranger)).status).toBe(404)
  expect((await call('DELETE', `${devices}/mara-laptop`, undefined, stranger)).status).toBe(404)
  expect((await call('POST', devices, { ...laptop, name: 'Mine now' }, stranger)).status).toBe(201)
  expect((await call('GET', `${devices}/mara-laptop`)).body).toMatchObject({ name: 'mara-laptop', presence: 'online' })
})

test('a cursor with a time that PostgreSQL cannot represent is refused', async () => {
  user = await backend.user()
  const cursor = Buffer.from('["+275760-09-13T00:00:00.000Z","a"]').toString('base64url')
  const { status, body } = await call('GET', `${devices}?cursor=${cursor}`)
  expect([status, body.errors]).toEqual([400, [{ pointer: '/query/cursor', message: 'is not a cursor of this list' }]])
})

test('a name that cannot be stored is refused with its field', async () => {
  user = await backend.user()
  const { status, body } = await call('POST', devices, { ...laptop, name: 'a\0b' })
  expect([status, body.errors]).toEqual([400, [{ pointer: '/name', message: 'must not contain the character U+0000' }]])
})
