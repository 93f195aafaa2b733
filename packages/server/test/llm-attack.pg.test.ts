// Attacks by a caller or a provider: each is refused in the dialect of the API that was called, and nothing of it reaches the other side.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { limits } from '@tandem/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, type GatewayUser, startGateway } from './support/gateway.ts'

let gateway: Gateway
let user: GatewayUser

beforeAll(async () => {
  gateway = await startGateway({ options: { deadlines: { idle_ms: 1_500 } } })
  user = await gateway.user()
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => gateway.upstream.forget())

const messages = [{ role: 'user', content: 'Hello' }]
const chat = { model: 'openai/gpt-test', messages }

interface Told {
  readonly message: string
  readonly code?: string
  readonly param?: string
}

/** The error in a response, in either dialect. */
async function told(reply: Response): Promise<Told & { status: number }> {
  const { error } = (await reply.json()) as { error: Told }
  return { status: reply.status, ...error }
}

/** Raw bytes on a separate connection; returns everything received until it is closed or silent for a second. */
async function raw(head: string, body: string | Buffer = ''): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(head.replaceAll('\n', '\r\n'))
  socket.write(body)
  const closed = once(socket, 'close')
  await Promise.race([closed, once(socket, 'data')])
  await Promise.race([closed, sleep(1_000)])
  socket.destroy()
  return text
}

describe('names of models', () => {
  test.each([
    'openai/x\r\nx-evil: 1',
    'openai/x\0y',
    'openai/x?key=1',
    'openai/x y',
    'http://169.254.169.254/latest/meta-data',
    'https://evil.example/v1',
    '//evil.example/x',
    '__proto__/x',
    'constructor/x',
    'openai/\u202egpt',
  ])('%j is refused', async (model) => {
    const reply = await told(await gateway.post('/chat/completions', user, { ...chat, model }))
    expect(reply).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    expect(gateway.upstream.requests).toEqual([])
  })

  test('a name that looks like a path appears in the body and in no URL', async () => {
    expect((await gateway.post('/chat/completions', user, { ...chat, model: 'openai/../../admin' })).status).toBe(200)
    expect(gateway.upstream.requests.map(({ path, body }) => [path, JSON.parse(String(body)).model])).toEqual([
      ['/v1/chat/completions', '../../admin'],
    ])
  })
})

describe('bodies', () => {
  test('a compressed one gets an error that asks for plain bytes', async () => {
    const reply = await fetch(`${gateway.url}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(10_000_000, 0x20)),
    })
    expect(await told(reply)).toMatchObject({
      status: 415,
      message: expect.stringMatching(/^the body must be uncompressed, not gzip\. \w/),
    })
  })

  test('a too large one gets an error with the limit', async () => {
    const head = `{"model":"openai/gpt-test","messages":[{"role":"user","content":"`
    const fits = `${head}${'x'.repeat(limits.model_request_bytes - head.length - 4)}"}]}`
    expect((await gateway.post('/chat/completions', user, fits)).status).toBe(200)
    expect(gateway.upstream.requests[0]?.body.length).toBe(Buffer.byteLength(fits) - 'openai/'.length)
    const reply = await gateway.post('/chat/completions', user, `${fits} `)
    expect(await told(reply)).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test.each(['[', '{"a":'])('a million %s deep gets an error with the limit', async (open) => {
    const close = open === '[' ? ']' : '}'
    const body = `{"model":"openai/gpt-test","messages":${open.repeat(1_000_000)}1${close.repeat(1_000_000)}}`
    const before = process.cpuUsage()
    const reply = await told(await gateway.post('/chat/completions', user, body))
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request', message: expect.stringContaining('nested at most 1,000 deep') })
    const { user: spent, system } = process.cpuUsage(before)
    expect((spent + system) / 1_000).toBeLessThan(2_000)
    expect(gateway.upstream.requests).toEqual([])
  })

  test('names of object properties are forwarded, and have no effect here', async () => {
    const body = '{"model":"openai/gpt-test","messages":[],"__proto__":{"stream":true},"constructor":{"prototype":{"x":1}}}'
    expect((await gateway.post('/chat/completions', user, body)).status).toBe(200)
    expect(String(gateway.upstream.requests[0]?.body)).toBe(body.replace('openai/', ''))
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  test('a duplicate model', async () => {
    const reply = await gateway.post('/chat/completions', user, '{"model":"openai/a","messages":[],"\\u006dodel":"openai/b"}')
    expect(await told(reply)).toMatchObject({ status: 400, param: 'model', message: expect.stringContaining('must be given only once') })
  })
})

describe('headers', () => {
  test('a caller cannot set an address, a key or a user of the provider', async () => {
    const wishes = {
      ...{ 'x-portkey-custom-host': 'http://169.254.169.254', 'x-base-url': 'http://169.254.169.254', 'openai-organization': 'org-evil' },
      ...{ 'x-forwarded-host': 'evil.example', 'proxy-authorization': 'Basic eA==', cookie: 'a=b', approved: 'true' },
    }
    expect((await gateway.post('/chat/completions', user, chat, { headers: wishes })).status).toBe(200)
    const arrived = gateway.upstream.requests[0]?.headers ?? {}
    expect(Object.keys(wishes).filter((name) => name in arrived)).toEqual([])
    expect([arrived.host, arrived.authorization?.includes(user.token)]).toEqual([new URL(gateway.upstream.url).host, false])
  })

  test('an invalid device name gets an error, and so does a duplicate one', async () => {
    for (const device of ['laptop of mara', 'x'.repeat(201), 'a, b']) {
      const reply = await gateway.post('/chat/completions', user, chat, { headers: { 'x-device-id': device } })
      expect(await told(reply)).toMatchObject({ status: 400, code: 'invalid_request', param: 'headers.x-device-id' })
    }
    expect(gateway.upstream.requests).toEqual([])
  })

  test('of two authorization headers the first counts, here and in a proxy in front', async () => {
    const other = await gateway.user()
    const body = JSON.stringify(chat)
    const head = (first: string, second: string) =>
      `POST /api/v1/llm/chat/completions HTTP/1.1\nhost: x\nauthorization: Bearer ${first}\nauthorization: Bearer ${second}\nconnection: close\ncontent-type: application/json\ncontent-length: ${body.length}\n\n`
    expect(await raw(head('nonsense', other.token), body)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await raw(head(other.token, 'nonsense'), body)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await gateway.ledger(other, 1)).toMatchObject([{ status: 200 }])
  })

  test.each([
    ['a length and chunks', 'content-length: 5\ntransfer-encoding: chunked'],
    ['two lengths', 'content-length: 5\ncontent-length: 6'],
    ['an encoding that is not the last', 'transfer-encoding: chunked, identity'],
    ['an encoding with a tab', 'transfer-encoding:\tchunked\ncontent-length: 3'],
    ['a length with a sign', 'content-length: +5'],
  ])('%s: refused, and the rest is not a request', async (_name, lines) => {
    const smuggled = 'GET /api/v1/llm/models HTTP/1.1\r\nhost: x\r\n\r\n'
    const head = `POST /api/v1/llm/chat/completions HTTP/1.1\nhost: x\nauthorization: Bearer ${user.token}\ncontent-type: application/json\n${lines}\n\n`
    const answer = await raw(head, `0\r\n\r\n${smuggled}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(gateway.upstream.requests).toEqual([])
  })
})

describe('providers', () => {
  test.each([301, 302, 307, 308])('a redirect with %i to a cloud address is not followed', async (status) => {
    gateway.upstream.next({ status, headers: { location: 'http://169.254.169.254/latest/meta-data/' }, body: 'moved' })
    const reply = await gateway.post('/chat/completions', user, chat)
    expect(await told(reply)).toMatchObject({
      status: 502,
      code: 'upstream_failed',
      message: expect.stringMatching(new RegExp(`^openai returned ${status}\\. \\w`)),
    })
    expect([gateway.upstream.requests.length, reply.headers.get('location')]).toEqual([1, null])
  })

  test('a gigabyte in one event, or without an end, is aborted and not kept in memory', async () => {
    const piece = Buffer.alloc(1024 * 1024, 0x78)
    // With the default deadlines: on a busy machine, a caller that reads this much may pause for longer than those of the other cases.
    await using patient = await startGateway()
    const before = process.memoryUsage().rss
    patient.upstream.next({ pieces: ['data: "', ...Array(1_024).fill(piece)], end: 'hang' })
    const reply = await patient.post('/chat/completions', await patient.user(), { ...chat, stream: true })
    let size = 0
    let last = ''
    for await (const chunk of reply.body ?? []) {
      size += chunk.length
      last = (last + Buffer.from(chunk).toString('latin1').slice(-1_000)).slice(-1_000)
    }
    const MiB = 1024 * 1024
    expect([reply.status, size > 100 * MiB, size < 130 * MiB]).toEqual([200, true, true])
    expect(last).toMatch(/xxx\n\ndata: \{"error":\{"message":"openai returned a response that is too large\. [^\n]*\n\n$/)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * MiB)
  })

  test('a caller that reads one byte per second is disconnected, and the provider too', async () => {
    const slow = await gateway.user()
    const event = `data: {"choices":[{"delta":{"content":"${'x'.repeat(64_000)}"}}]}\n\n`
    gateway.upstream.next({ pieces: Array(2_000).fill(event), end: 'hang' })
    const body = JSON.stringify({ ...chat, stream: true })
    const { hostname, port } = new URL(gateway.url)
    const socket = connect({ port: Number(port), host: hostname })
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1/llm/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${slow.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    const reading = setInterval(() => socket.read(1), 1_000)
    const { aborted, state } = await gateway.upstream.arrived(1)
    await aborted
    clearInterval(reading)
    socket.destroy()
    expect(state.written).toBeLessThan(30_000_000)
    expect(await gateway.ledger(slow, 1)).toMatchObject([{ status: 499, aborted: true }])
  })
})
