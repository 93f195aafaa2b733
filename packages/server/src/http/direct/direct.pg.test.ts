// Routes served before Fastify follow the same rules as every route.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressRate } from '@tandem/contract/http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../../test/support/test-app.ts'
import { openInProcessCache } from '../../cache/in-process.ts'
import { requestsOpen } from '../admission/admission.ts'

const page = 'https://app.example.org'
let backend: TestApp
let url: string
let user: TestUser

/** The clock of the rate limits; a limit refills within milliseconds, so it is stopped while a limit is tested. */
let stopped: number | undefined

beforeAll(async () => {
  const clock = { now: () => stopped ?? Date.now(), every: () => () => undefined }
  const cache = openInProcessCache({ log: () => undefined, clock })
  backend = await testApp({ config: { cors_origins: [page], trust_proxy: 1 }, services: { cache } })
  url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
  user = await backend.user()
})
afterAll(() => backend.close())

const hello = JSON.stringify({ model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] })

/** One call from its own address by default. */
function call(headers: Record<string, string> = {}, path = '/api/v1/llm/chat/completions', body: string = hello): Promise<Response> {
  const usual = { ...user.headers, 'content-type': 'application/json', 'x-forwarded-for': backend.address() }
  return fetch(`${url}${path}`, { method: 'POST', headers: { ...usual, ...headers }, body })
}

async function codeOf(reply: Response): Promise<[number, string]> {
  return [reply.status, Object(await reply.json()).error.code]
}

test('a page of an allowed origin may read the response and its headers; others may not', async () => {
  const told = async (origin: string) => {
    const { headers } = await call({ origin })
    return [
      headers.get('access-control-allow-origin'),
      headers.get('access-control-expose-headers')?.includes('x-generation-id'),
      headers.get('vary'),
    ]
  }
  expect(await told(page)).toEqual([page, true, 'Origin'])
  expect(await told('https://evil.example')).toEqual([null, undefined, null])
  const refused = await call({ origin: page, authorization: 'Bearer nonsense' })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page])
  const asked = { origin: page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const preflight = await fetch(`${url}/api/v1/llm/chat/completions`, { method: 'OPTIONS', headers: asked })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, page])
})

test("the caller's request id is returned, and one is created if there is none", async () => {
  expect((await call({ 'x-request-id': 'mine-1' })).headers.get('x-request-id')).toBe('mine-1')
  expect((await call()).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('a trailing slash is the same address; unknown parameters are ignored', async () => {
  expect((await call({}, '/api/v1/llm/chat/completions/')).status).toBe(200)
  expect((await call({}, '/api/v1/llm/chat/completions?beta=true')).status).toBe(200)
  expect(await codeOf(await call({}, '/api/v1/llm/chat/completion'))).toEqual([404, 'not_found'])
})

test.each(['text/plain', 'application/jsonp', 'multipart/form-data; boundary=x', 'application/json-seq'])(
  'a body that is %s is refused',
  async (type) => {
    expect(await codeOf(await call({ 'content-type': type }))).toEqual([415, 'unsupported_media_type'])
  },
)

test('JSON may declare its charset', async () => {
  expect((await call({ 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200)
})

test('a session that was signed out is refused immediately, even with a valid token', async () => {
  const other = await backend.user()
  expect((await call(other.headers)).status).toBe(200)
  await backend.services.endedSessions.add(other.user_id, [other.session_id])
  expect(await codeOf(await call(other.headers))).toEqual([401, 'session_ended'])
})

test('addresses and users are counted together with all other routes, with headers', async () => {
  stopped = Date.now()
  onTestFinished(() => {
    stopped = undefined
  })
  const address = backend.address()
  const first = await call({ 'x-forwarded-for': `1.2.3.4, ${address}` })
  const [limit, remaining] = ['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(first.headers.get(name)))
  expect([Number(limit) > 0, Number(remaining) < Number(limit)]).toEqual([true, true])
  await backend.services.cache.take(
    `rate:all:address:${address}`,
    { points: addressRate.requests, seconds: addressRate.seconds },
    addressRate.requests - 1,
  )
  const reply = await call({ 'x-forwarded-for': address })
  expect([reply.status, Number(reply.headers.get('retry-after')) > 0]).toEqual([429, true])
})

test('too many open requests of one user are refused, including those whose bodies are still arriving', async () => {
  const greedy = await backend.user()
  const headers = {
    ...greedy.headers,
    'content-type': 'application/json',
    'content-length': hello.length,
    'x-forwarded-for': backend.address(),
  }
  const { promise: told, resolve } = Promise.withResolvers<number | undefined>()
  const most = backend.services.config.llm.limits.calls_in_flight + requestsOpen
  const open = Array.from({ length: most + 1 }, () => {
    const one = request(`${url}/api/v1/llm/chat/completions`, { method: 'POST', headers })
    one.on('error', () => undefined).on('response', (reply) => resolve(reply.resume().statusCode))
    one.flushHeaders()
    return one
  })
  expect(await told).toBe(429)
  const next = async () => {
    const reply = await call(greedy.headers)
    return [reply.status, (await reply.text()).includes(`this account has ${most} model calls open at the same time`)]
  }
  expect(await next()).toEqual([429, true])
  for (const one of open) one.destroy()
  await expect.poll(next).toEqual([200, false])
})

test('each request is counted with its route and status', async () => {
  await (await call()).text()
  const seen = async () => (await backend.app.inject({ url: '/metrics' })).body
  await expect.poll(seen).toMatch(/tandem_request_duration_seconds_count\{route="llm_chat_completions",method="POST",status="200"\} [1-9]/)
  expect(await seen()).toMatch(/route="llm_chat_completions",method="POST",status="401"/)
})

test('a request refused before its body was read leaves the connection usable', async () => {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  let heard = ''
  socket.on('data', (data) => {
    heard += data.toString('latin1')
  })
  await once(socket, 'connect')
  const head = (token: string, body: string) =>
    `POST /api/v1/llm/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nx-forwarded-for: ${backend.address()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const large = 'x'.repeat(2_000_000)
  socket.write(head('nonsense', large))
  await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 401 /)
  for (let at = 0; at < large.length; at += 500_000) {
    socket.write(large.slice(at, at + 500_000))
    await sleep(5)
  }
  socket.write(head(user.token, hello) + hello)
  await expect.poll(() => heard).toMatch(/HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a stopping node finishes what it started, and refuses new requests', async () => {
  const node = await testApp()
  const { host } = new URL(await node.app.listen({ host: '127.0.0.1', port: 0 }))
  const { headers } = await node.user()
  const agent = new Agent({ keepAlive: true })
  const ask = (body: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const usual = { ...headers, 'content-type': 'application/json' }
      request(`http://${host}/api/v1/llm/chat/completions`, { method: 'POST', agent, headers: usual }, resolve)
        .on('error', reject)
        .end(body)
    })
  // An existing connection: new ones are not accepted when the node is stopping.
  await text(await ask(hello))
  const begun = await ask(JSON.stringify({ ...JSON.parse(hello), stream: true }))
  // Admitted before the stop, and answered after it: its body is still arriving.
  const late = request(`http://${host}/api/v1/llm/chat/completions`, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': hello.length, expect: '100-continue' },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => late.on('response', resolve).on('error', reject))
  await once(late, 'continue')
  await text(await ask(hello))
  const closing = node.close()
  let after = await ask(hello)
  // It may have arrived before the node was stopping.
  for (; after.statusCode === 200; after = await ask(hello)) await text(after)
  expect([after.statusCode, after.headers.connection, JSON.parse(await text(after)).error.code]).toEqual([503, 'close', 'restarting'])
  late.end(hello)
  const { statusCode, headers: told } = await answered
  expect([statusCode, told.connection]).toEqual([200, 'close'])
  await text(await answered)
  expect(await text(begun)).toMatch(/data: \[DONE\]\n\n$/)
  await closing
  agent.destroy()
})
