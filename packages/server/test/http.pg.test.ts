// What applies to every request, for any feature.
import type { PullReply, PushReply } from '@tandem/contract/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from './support/test-app.ts'
import { change } from './support/user-with-data.ts'

let backend: TestApp
let user: TestUser
beforeAll(async () => {
  backend = await testApp({ config: { cors_origins: ['https://app.example.org'] } })
  user = await backend.user()
})
afterAll(() => backend.close())

const json = { 'content-type': 'application/json' }

describe('names with a meaning in JavaScript', () => {
  const hostile = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":"text","a":1}'

  test('are ordinary content in a payload, and cause no rejection', async () => {
    const body = JSON.stringify({ device_id: 'd', changes: [change('agents', 'good', { a: 1 }), change('agents', 'odd', {})] })
    const payload = body.replace('"entity_id":"odd"', '"entity_id":"odd"').replace(/"payload":\{\}\}\]\}$/, `"payload":${hostile}}]}`)
    const reply = await backend.app.inject({ method: 'POST', url: '/api/v1/sync/push', headers: { ...user.headers, ...json }, payload })
    expect(reply.json<PushReply>().verdicts.map((verdict) => verdict.verdict)).toEqual(['applied', 'applied'])
    const pulled = await backend.app.inject({ url: '/api/v1/sync/pull', headers: user.headers })
    const text = pulled.body.slice(pulled.body.indexOf('"entity_id":"odd"'))
    expect(text).toContain('"__proto__":{"polluted":true}')
    expect(pulled.json<PullReply>().changes).toHaveLength(2)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('are refused if the contract does not define them', async () => {
    const reply = await backend.app.inject({
      method: 'POST',
      url: '/api/v1/tasks',
      headers: { ...user.headers, ...json },
      payload: `{"title":"T","__proto__":{"admin":true}}`,
    })
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid_request'])
  })
})

describe('a page of another origin', () => {
  test('may use every method if it is configured', async () => {
    const headers = {
      origin: 'https://app.example.org',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,if-match',
    }
    const reply = await backend.app.inject({ method: 'OPTIONS', url: '/api/v1/users/profile', headers })
    expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([204, 'https://app.example.org'])
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect(reply.headers['access-control-allow-methods']).toContain(method)
  })

  test.each(['https://evil.example.org', 'https://app.example.org.evil.example', 'null'])('that is %s may read nothing', async (origin) => {
    const reply = await backend.app.inject({ url: '/api/v1/users/profile', headers: { ...user.headers, origin } })
    expect(reply.headers['access-control-allow-origin']).not.toBe(origin)
    expect(reply.headers['access-control-allow-origin']).not.toBe('*')
  })
})

test("a request id is returned, the caller's own if it is a plain word", async () => {
  const ask = async (id: string) => (await backend.app.inject({ url: '/health', headers: { 'x-request-id': id } })).headers['x-request-id']
  expect(await ask('abc-123')).toBe('abc-123')
  expect(await ask('two words')).not.toBe('two words')
  expect(await ask('x'.repeat(500))).toMatch(/^[0-9a-f-]{36}$/)
})

test('a compressed body is refused with its code, so that none can expand', async () => {
  const reply = await backend.app.inject({
    method: 'POST',
    url: '/api/v1/tasks',
    headers: { ...user.headers, ...json, 'content-encoding': 'gzip' },
    payload: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'),
  })
  expect([reply.statusCode, reply.json().code]).toEqual([415, 'unsupported_media_type'])
})

test('deeply nested JSON is refused, and does not crash the server', async () => {
  const payload = `{"device_id":"d","changes":[${JSON.stringify(change('agents', 'deep', {})).replace(/"payload":\{\}/, `"payload":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`)}]}`
  const reply = await backend.app.inject({ method: 'POST', url: '/api/v1/sync/push', headers: { ...user.headers, ...json }, payload })
  expect(reply.statusCode).toBeLessThan(500)
  expect((await backend.app.inject({ url: '/health' })).statusCode).toBe(200)
})

test('documentation is served only in development', async () => {
  const page = await backend.app.inject({ url: '/swagger/index.html' })
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await backend.app.inject({ url: '/swagger/json' })).json()).toMatchObject({ openapi: '3.1.0' })
  await using production = await testApp({ config: { env: 'production' } })
  for (const url of ['/swagger/index.html', '/swagger/', '/swagger/json']) {
    expect((await production.app.inject({ url })).statusCode).toBe(404)
  }
})

test('a change that is not an object gets its own verdict and affects no others', async () => {
  const changes = [change('agents', 'fine', { a: 1 }), [], 'text', null, 7, { entity_type: 7 }]
  const reply = await backend.app.inject({
    method: 'POST',
    url: '/api/v1/sync/push',
    headers: user.headers,
    payload: { device_id: 'd', changes },
  })
  expect(reply.json<PushReply>().verdicts.map((one) => [one.index, one.verdict, 'code' in one ? one.code : undefined])).toEqual([
    [0, 'applied', undefined],
    ...[1, 2, 3, 4, 5].map((index) => [index, 'rejected', 'invalid']),
  ])
})

test('an address that the caller claims is not counted as its own', async () => {
  await using proxied = await testApp({ config: { trust_proxy: 1 } })
  const ask = (forwarded: string) =>
    proxied.app.inject({ method: 'POST', url: '/api/v1/auth/login', headers: { 'x-forwarded-for': forwarded }, payload: {} })
  const statuses = new Set<number>()
  for (let index = 0; index < 30; index += 1) statuses.add((await ask(`203.0.113.${index}, 198.51.100.8`)).statusCode)
  expect([...statuses]).toEqual([400, 429])
})

test('limits the open requests of a user, without affecting others', async () => {
  const ask = (who: TestUser) => backend.app.inject({ url: '/api/v1/tasks', headers: who.headers, remoteAddress: backend.address() })
  const greedy = await backend.user()
  // The database keeps them open, so that they overlap on fast and slow machines.
  const [locked, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = backend.services.database.owner.begin(async (holder) => {
    await holder`lock table tandem.tasks in access exclusive mode`
    locked.resolve()
    await enough.promise
  })
  await locked.promise
  const replies = Array.from({ length: 60 }, () => ask(greedy))
  // Only a refused one is answered now.
  const first = await Promise.race(replies).finally(enough.resolve)
  await holding
  expect([first.statusCode, first.json().code]).toEqual([503, 'overloaded'])
  const statuses = (await Promise.all(replies)).map((reply) => reply.statusCode)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
  expect((await ask(user)).statusCode).toBe(200)
  expect((await ask(greedy)).statusCode).toBe(200)
})

test('unknown addresses are counted too', async () => {
  const remoteAddress = backend.address()
  await backend.services.cache.take(`rate:probe:address:${remoteAddress}`, { points: 600, seconds: 60 }, 600)
  expect((await backend.app.inject({ url: '/nowhere', remoteAddress })).statusCode).toBe(429)
})
