import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestRedis, type TestRedis } from '../../test/support/test-redis.ts'
import { probeCache } from './probe.ts'

const secret = 'correct-horse'
let open: TestRedis
let locked: TestRedis
beforeAll(async () => {
  ;[open, locked] = await Promise.all([startTestRedis(), startTestRedis({ password: secret })])
})
afterAll(() => Promise.all([open.stop(), locked.stop()]))

const probe = (url: string, password?: string): Promise<string | undefined> =>
  probeCache({ kind: 'redis', url, ...(password === undefined ? {} : { password }) }, 1_000)

test('reports no problem for a usable cache', async () => {
  expect([await probe(open.url), await probe(locked.url, secret)]).toEqual([undefined, undefined])
})

test('a wrong or missing password is reported with CACHE_PASSWORD, not the password', async () => {
  expect(await probe(locked.url, 'wrong-battery')).toBe(`CACHE_PASSWORD: refused by the cache at 127.0.0.1:${locked.port}`)
  expect(await probe(locked.url)).toBe(`CACHE_PASSWORD: the cache at 127.0.0.1:${locked.port} requires a password, but none is set`)
})

test('an unreachable cache is reported with CACHE_URL, within the deadline', async () => {
  const gone = await startTestRedis()
  await gone.stop()
  expect(await probe(gone.url)).toBe(`CACHE_URL: nothing is listening at 127.0.0.1:${gone.port}`)
  expect(await probe('redis://no-such-host.invalid:6379')).toBe('CACHE_URL: the host of no-such-host.invalid:6379 cannot be resolved')
  expect(await probe(`${open.url}/99`)).toBe(`CACHE_URL: the cache at 127.0.0.1:${open.port} does not have a database with that number`)
})

test('a cache that does not answer is reported at the deadline', async () => {
  open.freeze()
  expect(await probe(open.url)).toBe(`CACHE_URL: no response from 127.0.0.1:${open.port} within 1000 ms`)
  open.thaw()
})

test('a server that is not Redis is recognized', async () => {
  const other = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  expect(await probe(`redis://127.0.0.1:${port}`)).toBe(`CACHE_URL: the server at 127.0.0.1:${port} is not Redis`)
  other.close()
})

test.each(['', 'localhost:6379', 'http://localhost:6379', 'redis://', 'not a url'])('%j is not a cache address', async (url) => {
  expect(await probe(url)).toMatch(/^CACHE_URL: cannot be read; set redis:/)
})
