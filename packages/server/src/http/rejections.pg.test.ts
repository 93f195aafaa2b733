// Every rejection is a problem with a request id, including those that Node or Fastify would answer themselves. Over real sockets.
import { connect } from 'node:net'
import { limits } from '@tandem/contract/limits'
import type { Problem } from '@tandem/contract/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'

let backend: TestApp
let user: TestUser
let url: string
beforeAll(async () => {
  backend = await testApp()
  user = await backend.user()
  url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => backend.close())

const host = 'Host: localhost\r\n'

test.each([
  ['OPTIONS without an origin', `OPTIONS /api/v1/tasks HTTP/1.1\r\n${host}`, 405, 'method_not_allowed'],
  ['OPTIONS with an origin alone', `OPTIONS /api/v1/tasks HTTP/1.1\r\n${host}Origin: https://page.example\r\n`, 405, 'method_not_allowed'],
  ['OPTIONS of an unknown address', `OPTIONS /nowhere HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ['a broken escape', `GET /api/v1/files/%zz HTTP/1.1\r\n${host}`, 400, 'invalid_request'],
  ['a broken escape at an unknown address', `GET /%zz HTTP/1.1\r\n${host}`, 400, 'invalid_request'],
  ['an id that is far too long', `GET /api/v1/files/${'a'.repeat(600)} HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ['no Host', 'GET /health HTTP/1.1\r\n', 400, 'invalid_request'],
  ['two Hosts', `GET /health HTTP/1.1\r\n${host}Host: elsewhere\r\n`, 400, 'invalid_request'],
  ['two Hosts for a model', `POST /api/v1/llm/chat/completions HTTP/1.1\r\n${host}${host}Content-Length: 0\r\n`, 400, 'invalid_request'],
  ['an unknown expectation', `GET /health HTTP/1.1\r\n${host}Expect: a-miracle\r\n`, 417, 'expectation_failed'],
  ['CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${host}`, 405, 'method_not_allowed'],
  ['an unknown method', `BREW / HTTP/1.1\r\n${host}`, 400, 'invalid_request'],
  ['something else', 'hello', 400, 'invalid_request'],
  ['large headers', `GET /health HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n`, 431, 'headers_too_large'],
  ['an unknown address', `GET /nowhere HTTP/1.1\r\n${host}`, 404, 'not_found'],
  ['no token', `GET /api/v1/tasks HTTP/1.1\r\n${host}`, 401, 'unauthorized'],
])('%s', async (_name, head, status, code) => {
  const reply = await send(`${head}\r\n\r\n`.replace(/(\r\n){3,}$/, '\r\n\r\n'))
  expect({
    status: reply.status,
    type: reply.headers['content-type']?.replace('; charset=utf-8', ''),
    id: reply.headers['x-request-id'],
    body: reply.body,
  }).toEqual({
    status,
    type: 'application/problem+json',
    id: reply.body.request_id,
    body: expect.objectContaining({ code, status, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
  })
})

test('HTTP/1.0 needs no Host', async () => {
  expect((await send('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200)
})

test('a CORS preflight request still works', async () => {
  await using open = await testApp({ config: { cors_origins: ['https://page.example'] } })
  const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' }
  expect((await open.app.inject({ method: 'OPTIONS', url: '/api/v1/tasks', headers })).statusCode).toBe(204)
})

test.each([
  ['/api/v1/users/devices', limits.body_bytes],
  ['/api/v1/workflows', limits.document_bytes],
  ['/api/v1/llm/chat/completions', limits.model_request_bytes],
])('fetch can read the response to a body that is too large for %s', async (path, limit) => {
  const body = JSON.stringify({ title: 'x'.repeat(limit + 4 * 1_024 * 1_024) })
  const headers = { ...user.headers, 'content-type': 'application/json' }
  const pieces = async function* () {
    for (let at = 0; at < body.length; at += 256 * 1_024) yield new TextEncoder().encode(body.slice(at, at + 256 * 1_024))
  }
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const sent = attempt % 2 === 0 ? { body } : { body: ReadableStream.from(pieces()), duplex: 'half' as const }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, ...sent })
    const text = await reply.text()
    expect([reply.status, text.includes(String(limit))]).toEqual([413, true])
    // Closing while the caller is still sending would break its pipe before it has read the response.
    expect(reply.headers.get('connection')).not.toBe('close')
  }
})

test('a problem of size names its limit', async () => {
  const payload = JSON.stringify({ title: 'x'.repeat(limits.body_bytes) })
  const headers = { ...user.headers, 'content-type': 'application/json' }
  const reply = await backend.app.inject({ method: 'POST', url: '/api/v1/users/devices', headers, payload })
  expect(reply.json<Problem>()).toMatchObject({
    code: 'payload_too_large',
    detail: `the body is larger than ${limits.body_bytes} bytes`,
    limits: [{ name: 'body_bytes', limit: limits.body_bytes }],
  })
})

interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Problem
}

/** Sent as is, over its own socket: clients would correct it. */
async function send(text: string): Promise<RawReply> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  let reply = ''
  socket.on('data', (chunk) => {
    reply += chunk.toString()
    const [head = '', body] = reply.split('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length) socket.end()
  })
  socket.write(text)
  await new Promise((resolve) => socket.once('close', resolve).on('error', () => undefined))
  const [head = '', body = '{}'] = reply.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]))
  return { status: Number(line.split(' ')[1]), headers, body: JSON.parse(body || '{}') }
}
