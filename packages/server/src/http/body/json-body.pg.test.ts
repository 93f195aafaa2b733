import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../../test/support/test-app.ts'

let backend: TestApp
let user: TestUser

beforeAll(async () => {
  backend = await testApp()
  user = await backend.user()
})
afterAll(() => backend.close())

async function send(method: 'POST' | 'DELETE', url: string, type: string | undefined, payload?: string) {
  const headers = { ...user.headers, ...(type === undefined ? {} : { 'content-type': type }) }
  const reply = await backend.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return [reply.statusCode, reply.body === '' ? undefined : reply.json().code]
}

test('an empty body with the type JSON counts as no body', async () => {
  const device = { device_id: 'laptop', name: 'Laptop', platform: 'linux', app_version: '0.1.0' }
  const url = '/api/v1/users/devices'
  expect(await send('POST', url, 'application/json', JSON.stringify(device))).toEqual([201, undefined])
  expect(await send('DELETE', `${url}/laptop`, 'application/json; charset=utf-8', '')).toEqual([204, undefined])
  expect(await send('POST', url, 'application/json', '')).toEqual([400, 'invalid_request'])
  expect(await send('POST', url, 'application/json', '{')).toEqual([400, 'invalid_request'])
  expect(await send('POST', url, 'text/plain', 'x')).toEqual([415, 'unsupported_media_type'])
})

test.each([
  ['without a body', undefined, undefined],
  ['with an empty one', 'application/json', ''],
  ['with an empty object', 'application/json', '{}'],
])('logging out %s ends this session', async (_, type, payload) => {
  user = await backend.user()
  expect(await send('POST', '/api/v1/auth/logout', type, payload)).toEqual([204, undefined])
  expect(await send('POST', '/api/v1/auth/logout', type, payload)).toEqual([401, 'session_ended'])
})

test('null is not an object', async () => {
  user = await backend.user()
  expect(await send('POST', '/api/v1/auth/logout', 'application/json', 'null')).toEqual([400, 'invalid_request'])
})

const agents = (payload: string) =>
  `{"entity_type":"agents","entity_id":"a","op":"upsert","version":1,"updated_at":"2026-01-01T00:00:00.000Z","source_ts":"2026-01-01T00:00:00.000Z","payload":${payload}}`

async function ask(method: 'POST' | 'PUT', url: string, payload: string | Buffer, type = 'application/json') {
  const reply = await backend.app.inject({ method, url, headers: { ...user.headers, 'content-type': type }, payload })
  return { status: reply.statusCode, body: reply.json() }
}

test.each([
  ['an infinite number', '{"device_id":"d","name":1e400,"platform":"linux","app_version":"1"}', '/name'],
  ['a number that would become zero', '{"device_id":"d","name":1e-400,"platform":"linux","app_version":"1"}', '/name'],
  ['an integer that would lose precision', '{"device_id":"d","name":9007199254740993,"platform":"linux","app_version":"1"}', '/name'],
  ['half a surrogate pair', '{"device_id":"d","name":"x\\ud800","platform":"linux","app_version":"1"}', '/name'],
])('%s is refused with its pointer', async (_, payload, pointer) => {
  const { status, body } = await ask('POST', '/api/v1/users/devices', payload)
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', pointer])
})

test('bodies are UTF-8, whatever charset they declare', async () => {
  const device = { device_id: 'phone', name: 'Büro', platform: 'linux', app_version: '0.1.0' }
  const latin = Buffer.from(JSON.stringify(device), 'latin1')
  const url = '/api/v1/users/devices'
  expect(await ask('POST', url, latin)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await ask('POST', url, latin, 'application/json; charset=iso-8859-1')).toMatchObject({ status: 415 })
  expect(await ask('POST', url, JSON.stringify(device), 'application/json; charset="UTF-8"')).toMatchObject({ status: 201 })
})

test('in a push only the change with such a number is rejected, and a lone surrogate in a payload is kept', async () => {
  const changes = [agents('{"name":"good"}'), agents('{"limits":[1,1e400]}'), agents('{"name":"x\\ud800"}').replace('"a"', '"b"')]
  const { status, body } = await ask('POST', '/api/v1/sync/push', `{"device_id":"d","changes":[${changes.join()}]}`)
  expect([status, body.verdicts.map(({ verdict }: { verdict: string }) => verdict)]).toEqual([200, ['applied', 'rejected', 'applied']])
  expect(body.verdicts[1]).toMatchObject({
    code: 'invalid',
    message: '`payload.limits[1]` is a number that cannot be stored exactly: send it as a string',
  })
  const pulled = await backend.app.inject({ method: 'GET', url: '/api/v1/sync/pull', headers: user.headers })
  expect(pulled.body).toContain('x\\ud800')
})
