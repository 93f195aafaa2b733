import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { watchBackend } from './backend.ts'
import { statusWith } from './status.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

test('without a backend the status says so, and names the product and what works', () => {
  const { product, features, backend } = statusWith({ state: 'absent' }, (command) => command !== 'memory_search')
  expect({ product, backend }).toEqual({ product: { name: 'Tandem', version: manifest.version }, backend: { state: 'absent' } })
  expect(features).toContainEqual({ name: 'contract', side: 'both', works: true })
  expect(features).toContainEqual({ name: 'checkpoints', side: 'desktop', works: true })
  expect(features).toContainEqual({ name: 'memory', side: 'desktop', works: false })
})

test('a healthy backend is shown by states and numbers only', async () => {
  const address = await backend((_, response) => {
    response.end(
      JSON.stringify({
        status: 'degraded',
        version: '0.1.0',
        uptime_seconds: 12,
        secret: 'hunter2',
        parts: [
          { name: 'database', status: 'ok', detail: 'postgres://tandem:hunter2@db', checked_at: '2026-01-01T00:00:00.000Z' },
          { name: 'cache', status: 'failing' },
          { name: 'unheard_of', status: 'ok' },
          null,
        ],
      }),
    )
  })
  expect(await watchBackend(`${address}/ignored?token=hunter2`)()).toEqual({
    state: 'answering',
    address,
    health: {
      status: 'degraded',
      version: '0.1.0',
      uptime_seconds: 12,
      parts: [
        { name: 'database', status: 'ok' },
        { name: 'cache', status: 'failing' },
      ],
    },
  })
})

test('a backend that is down is failing, with the reason', async () => {
  const address = await backend(() => undefined)
  for (const close of closing.splice(0)) close()
  expect(await watchBackend(address)()).toEqual({ state: 'failing', address, code: 'unreachable', detail: 'ECONNREFUSED' })
})

test('a backend that hangs is given up after two seconds', async () => {
  const address = await backend(() => undefined)
  expect(await watchBackend(address)()).toEqual({ state: 'failing', address, code: 'timeout', detail: 'no answer within 2 s' })
})

test.each<[string, RequestListener, string]>([
  ['another status', (_, response) => response.writeHead(503).end('{"status":"ok"}'), 'it answers with status 503'],
  ['no JSON', (_, response) => response.end('<html>'), 'its answer is not a health report'],
  ['another document', (_, response) => response.end('{"status":"fine"}'), 'its answer is not a health report'],
  ['a flood', (_, response) => response.end('x'.repeat(1_000_000)), 'its answer is not a health report'],
])('a backend that answers with %s is failing', async (_, listener, detail) => {
  const address = await backend(listener)
  expect(await watchBackend(address)()).toEqual({ state: 'failing', address, code: 'unexpected_answer', detail })
})

test('a redirect is not followed', async () => {
  const address = await backend((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end())
  expect(await watchBackend(address)()).toMatchObject({ state: 'failing', code: 'unreachable' })
})

test('questions that come together are one request', async () => {
  let asked = 0
  const address = await backend((_, response) => {
    asked += 1
    response.end('{"status":"ok"}')
  })
  const look = watchBackend(address)
  const sights = await Promise.all([look(), look(), look()])
  expect({ asked, same: new Set(sights).size }).toEqual({ asked: 1, same: 1 })
  await look()
  expect(asked).toBe(2)
})

test('an address that is not http is refused at once', () => {
  expect(() => watchBackend('file:///etc/passwd')).toThrow('must be http or https')
})

async function backend(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
