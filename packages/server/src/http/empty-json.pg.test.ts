import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../test-app.ts'

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

test('nothing that calls itself JSON is no body', async () => {
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

test('null is no object', async () => {
  user = await backend.user()
  expect(await send('POST', '/api/v1/auth/logout', 'application/json', 'null')).toEqual([400, 'invalid_request'])
})
