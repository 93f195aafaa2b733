import type { NewApiKey } from '@tandem/contract/auth'
import { limits } from '@tandem/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { newApiKey, readApiKey } from '../token/api-key.ts'

let backend: TestApp
let user: TestUser

beforeAll(async () => {
  backend = await testApp()
  user = await backend.user()
})
afterAll(() => backend.close())

interface Told {
  readonly status: number
  readonly body: ReturnType<typeof Object>
}

async function ask(method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string, token: string, payload?: object): Promise<Told> {
  const reply = await backend.app.inject({
    method,
    url: `/api/v1/${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  })
  return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json() }
}

const session = (one = user) => one.headers.authorization.slice('Bearer '.length)

async function create(scopes: readonly string[], name = 'Build server', one = user): Promise<NewApiKey> {
  const { status, body } = await ask('POST', 'users/keys', session(one), { name, scopes })
  expect(status).toBe(201)
  return body
}

const push = { device_id: 'with-a-key', changes: [] }

test('a key works only where its scope allows', async () => {
  const gateway = await create(['gateway'])
  const sync = await create(['sync'])
  const both = await create(['gateway', 'sync'])
  const statuses = async ({ key }: NewApiKey) => [
    (await ask('GET', 'llm/models', key)).status,
    (await ask('POST', 'sync/push', key, push)).status,
    (await ask('GET', 'sync/pull', key)).status,
  ]
  expect([await statuses(gateway), await statuses(sync), await statuses(both)]).toEqual([
    [200, 403, 403],
    [403, 200, 200],
    [200, 200, 200],
  ])
  expect((await ask('POST', 'sync/push', gateway.key, push)).body).toMatchObject({ code: 'insufficient_scope' })
})

test('a key cannot manage the account', async () => {
  const { key, api_key } = await create(['gateway', 'sync'])
  const answers = [
    await ask('POST', 'users/keys', key, { name: 'another', scopes: ['sync'] }),
    await ask('GET', 'users/keys', key),
    await ask('DELETE', `users/keys/${api_key.id}`, key),
    await ask('POST', 'auth/password', key, { current_password: 'x', new_password: 'a new one that is long' }),
    await ask('POST', 'users/delete', key, { password: 'x' }),
    await ask('POST', 'auth/logout', key, { scope: 'everywhere' }),
    await ask('GET', 'users/profile', key),
    await ask('GET', 'files', key),
  ]
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, 'insufficient_scope']))
})

test('Anthropic clients send the key as x-api-key', async () => {
  const { key } = await create(['gateway'])
  const reply = await backend.app.inject({ method: 'GET', url: '/api/v1/llm/v1/models', headers: { 'x-api-key': key } })
  expect(reply.statusCode).toBe(200)
})

test('a revoked key is refused immediately, and so is any text that is not one of our keys', async () => {
  const { key, api_key } = await create(['gateway'])
  expect((await ask('GET', 'llm/models', key)).status).toBe(200)
  expect((await ask('DELETE', `users/keys/${api_key.id}`, session())).status).toBe(204)
  const refused = async (text: string) => {
    const { status, body } = await ask('GET', 'llm/models', text)
    return [status, body.error.code]
  }
  const good = await create(['gateway'])
  const flipped = good.key.slice(0, -2) + (good.key.endsWith('AA') ? 'BB' : 'AA')
  expect([await refused(key), await refused(flipped), await refused('tandem_key_short')]).toEqual(
    [key, flipped, 'short'].map(() => [401, 'invalid_api_key']),
  )
  expect((await ask('DELETE', `users/keys/${api_key.id}`, session())).status).toBe(404)
})

test('a key is shown once, stored hashed, listed with its last use, and invisible to other accounts', async () => {
  const owner = await backend.user()
  const { key, api_key } = await create(['gateway'], 'Editor', owner)
  expect(api_key).toMatchObject({ name: 'Editor', scopes: ['gateway'], ends_with: key.slice(-4), last_used_at: null })
  await ask('GET', 'llm/models', key)
  const list = await ask('GET', 'users/keys', session(owner))
  expect(list.body).toEqual({ items: [{ ...api_key, last_used_at: expect.stringMatching(/^\d{4}-/) }], next_cursor: null })
  const [row] = await backend.services.database.owner`select * from tandem.api_keys where key_id = ${api_key.id}`
  const secret = Buffer.from(key.slice('tandem_key_'.length), 'base64url').subarray(32)
  expect(JSON.stringify(row)).not.toContain(secret.toString('base64url'))
  expect(Buffer.from(row?.hash).equals(secret)).toBe(false)
  const stranger = await backend.user()
  expect((await ask('GET', 'users/keys', session(stranger))).body.items).toEqual([])
  expect((await ask('DELETE', `users/keys/${api_key.id}`, session(stranger))).status).toBe(404)
  expect((await ask('GET', 'llm/models', key)).status).toBe(200)
})

test('an account cannot exceed its number of keys, even with concurrent requests', async () => {
  const owner = await backend.user()
  const { user_id } = owner
  const { owner: sql } = backend.services.database
  for (let made = 0; made < limits.api_keys - 2; made += 1) {
    await sql`
      insert into tandem.api_keys (user_id, key_id, name, scopes, hash, ends_with, created_at)
      values (${user_id}, gen_random_uuid(), 'filler', '{sync}', '', 'abcd', now())`
  }
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => ask('POST', 'users/keys', session(owner), { name: 'One more', scopes: ['sync'] })),
  )
  expect(asked.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
  expect(asked.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'limit_reached' })
})

test('a key contains its ids and can be parsed', () => {
  const ids = ['01996f2e-8a10-7c3b-9d52-6f1e0a4b7c99', '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c98'] as const
  const { key, hash } = newApiKey(...ids)
  expect(readApiKey(key)).toEqual({ user_id: ids[0], key_id: ids[1], hash })
  expect([readApiKey(`${key}x`), readApiKey(key.slice(1)), readApiKey('')]).toEqual([undefined, undefined, undefined])
})
