// A streamed response: checked like every other request, open as long as its reader wants, and closed with the reader.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openSite, type TestSite, testScope } from '../../../test/support/sandbox/network/test-scope.ts'
import { NetworkFailure, Refused } from '../../call/failure.ts'
import { openNetwork } from './scoped-network.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function site(...given: Parameters<typeof openSite>): Promise<TestSite> {
  const opened = await openSite(...given)
  closing.push(opened.close)
  return opened
}

const get = (url: string) => ({ url, method: 'GET', headers: {}, body: null })
const never = new AbortController().signal
const read = async (body: ReadableStream<Uint8Array> | null) => (body ? new Response(body).text() : null)

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  )
  if (error instanceof Refused || error instanceof NetworkFailure) return error.reason_code
  throw error
}

test('the body is sent, and each chunk of the response is read when it arrives', async () => {
  let answer: ServerResponse | null = null
  let sent = ''
  const there = await site(async (request, response) => {
    for await (const chunk of request) sent += chunk
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-said': String(request.headers['x-mine']) })
    response.write('first')
    answer = response
  })
  const request = { url: `${there.origin}/mcp`, method: 'POST', headers: { 'x-mine': 'hello' }, body: '{"a":"ü"}' }
  const { status, headers, body } = await openNetwork(testScope([there.host])).stream(request, never)
  expect([status, headers['x-said'], sent]).toEqual([200, 'hello', '{"a":"ü"}'])
  const reader = body?.getReader()
  const piece = async () => Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(await piece()).toBe('first')
  const later = answer as ServerResponse | null
  later?.write('second')
  expect(await piece()).toBe('second')
  later?.end()
  expect(await reader?.read()).toEqual({ done: true, value: undefined })
})

test('a host that is not in scope is never connected to', async () => {
  const there = await site((_, response) => response.end('reached'))
  const network = openNetwork(testScope(['example.org', '*']))
  expect(await failure(network.stream(get(`${there.origin}/`), never))).toMatch(/^(?:address_forbidden|host_out_of_scope)$/)
  expect(there.seen).toEqual([])
})

test('a redirect is returned and not followed', async () => {
  const elsewhere = await site((_, response) => response.end('reached'))
  const there = await site((_, response) => response.writeHead(307, { location: elsewhere.origin }).end())
  const { status, headers } = await openNetwork(testScope([there.host, elsewhere.host])).stream(get(there.origin), never)
  expect([status, headers.location, elsewhere.seen]).toEqual([307, elsewhere.origin, []])
})

test('a compressed response is not requested, and refused if it is sent', async () => {
  const there = await site((request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'x-asked': String(request.headers['accept-encoding']) })
    response.end(gzipSync('hello'))
  })
  expect(await failure(openNetwork(testScope([there.host])).stream(get(there.origin), never))).toBe('body_undecodable')
  expect(there.requests[0]?.headers['accept-encoding']).toBe('identity')
})

test.each([204, 304])('%i has no body', async (status) => {
  const there = await site((_, response) => response.writeHead(status).end())
  const answer = await openNetwork(testScope([there.host])).stream(get(there.origin), never)
  expect([answer.status, answer.body]).toEqual([status, null])
})

test('the connection is closed with the reader, before and after the response has started', async () => {
  const there = await site((request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('some')
  })
  const network = openNetwork(testScope([there.host]))
  for (const path of ['/silent', '/begun']) {
    const stop = new AbortController()
    const asked = network.stream(get(`${there.origin}${path}`), stop.signal)
    const [request] = (await once(there.server, 'request')) as [{ socket: { once: typeof there.server.once } }]
    const closed = new Promise((resolve) => request.socket.once('close', resolve))
    const answer = path === '/begun' ? await asked : null
    stop.abort(new Error('enough'))
    await (answer ? expect(read(answer.body)).rejects.toThrow() : expect(asked).rejects.toThrow('enough'))
    await closed
  }
})

test('an already aborted signal prevents the lookup', async () => {
  const there = await site((_, response) => response.end())
  await expect(openNetwork(testScope([there.host])).stream(get(there.origin), AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
  expect(there.seen).toEqual([])
})

test('a refused connection is a failure with a code', async () => {
  const there = await site(() => undefined)
  await closing.pop()?.()
  expect(await failure(openNetwork(testScope([there.host])).stream(get(there.origin), never))).toBe('host_unreachable')
})
