// A caller disconnects: at any moment, the provider is disconnected immediately, and the ledger has one row.
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from './support/gateway.ts'
import { waitFor } from './support/test-wait.ts'
import type { Behaviour, TestUpstream } from './support/upstream.ts'

let gateway: Gateway

beforeAll(async () => {
  // Waits before a retry have their maximum length.
  gateway = await startGateway({ options: { random: () => 1 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => {
  gateway.upstream.forget()
  gateway.backup.forget()
})

const repeats = 5
const silent: Behaviour = { silent: true, end: 'hang' }
const messages = [{ role: 'user', content: 'Hello' }]
const apis = [
  ['/chat/completions', { model: 'openai/gpt-test', messages }],
  ['/responses', { model: 'openai/gpt-test', input: 'Hello' }],
  ['/embeddings', { model: 'openai/embed-test', input: 'Hello' }],
  ['/messages', { model: 'anthropic/claude-test', max_tokens: 9, messages }],
  ['/v1/messages', { model: 'anthropic/claude-test', max_tokens: 9, messages }],
  ['/messages/count_tokens', { model: 'anthropic/claude-test', messages }],
  ['/v1/messages/count_tokens', { model: 'anthropic/claude-test', messages }],
] as const
const streaming = apis.filter(([path]) => path !== '/embeddings' && !path.endsWith('/count_tokens'))

/** The provider notices each disconnect, which nothing else could cause within the time of a test; every call leaves one row. */
async function hangUps(path: string, body: object, behaviours: readonly Behaviour[], heard: TestUpstream, attempts: number): Promise<void> {
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    gateway.upstream.forget()
    gateway.backup.forget()
    gateway.upstream.next(...behaviours)
    const user = await gateway.user()
    const controller = new AbortController()
    const call = gateway.post(path, user, body, { signal: controller.signal }).then((reply) => reply.text())
    const outcome = call.catch((error: unknown) => (error instanceof Error ? error.name : 'strange'))
    const last = await heard.arrived(heard === gateway.backup ? 1 : attempts)
    await sleep(20)
    controller.abort()
    await last.aborted
    expect(await outcome).toBe('AbortError')
    const rows = await gateway.ledger(user, 1)
    expect(rows).toMatchObject([{ status: 499, aborted: true, attempts }])
  }
}

describe.each(apis)('%s', (path, body) => {
  test('before the first byte of a response that is not streamed', async () => {
    await hangUps(path, body, [silent], gateway.upstream, 1)
  })

  test('in the middle of a response that is not streamed', async () => {
    await hangUps(path, body, [{ pieces: ['{"half":'], end: 'hang' }], gateway.upstream, 1)
  })
})

describe.each(streaming)('%s, streamed', (path, body) => {
  test('before the first byte', async () => {
    await hangUps(path, { ...body, stream: true }, [silent], gateway.upstream, 1)
  })

  test('in the middle', async () => {
    await hangUps(path, { ...body, stream: true }, [{ writes: 3, end: 'hang' }], gateway.upstream, 1)
  })
})

const chat = { model: 'openai/gpt-test', messages }

test('while the connection is being established', async () => {
  // Accepts the connection and never answers in TLS.
  const { promise: closed, resolve: left } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const mute = createServer((socket) => {
    socket.on('error', () => undefined).once('close', () => left())
    socket.resume()
    reach()
  }).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const address = mute.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const providers = [{ name: 'mute', base_url: `https://127.0.0.1:${address.port}/v1` }]
  const other = await startGateway({ file: { providers }, options: { deadlines: { connect_ms: 600_000 } } })
  try {
    const user = await other.user()
    const controller = new AbortController()
    const call = other.post('/chat/completions', user, { model: 'mute/any', messages }, { signal: controller.signal })
    const outcome = call.catch((error: unknown) => (error instanceof Error ? error.name : 'strange'))
    await reached
    controller.abort()
    await closed
    expect(await outcome).toBe('AbortError')
    expect(await other.ledger(user, 1)).toMatchObject([{ status: 499, aborted: true, attempts: 1, model: 'mute/any' }])
  } finally {
    await other[Symbol.asyncDispose]()
    mute.close()
  }
})

test('during a second attempt', async () => {
  const again: Behaviour = { status: 429, body: {}, headers: { 'retry-after': '0.01' } }
  await hangUps('/chat/completions', chat, [again, silent], gateway.upstream, 2)
})

test('during a call to another model', async () => {
  gateway.backup.always(silent)
  const behaviours: Behaviour[] = [{ status: 429, headers: { 'retry-after': '60' }, body: {} }]
  const asked = async (stream: boolean) => {
    const user = await gateway.user()
    gateway.upstream.next(...behaviours)
    gateway.backup.next(silent)
    const controller = new AbortController()
    const call = gateway.post('/chat/completions', user, { ...chat, stream, models: ['backup/other'] }, { signal: controller.signal })
    const outcome = call.then(String, (error: unknown) => (error instanceof Error ? error.name : 'strange'))
    const last = await gateway.backup.arrived(1)
    controller.abort()
    await last.aborted
    expect(await outcome).toBe('AbortError')
    expect(await gateway.ledger(user, 1)).toMatchObject([{ model: 'backup/other', status: 499, aborted: true, attempts: 2 }])
    gateway.backup.forget()
  }
  await asked(false)
  await asked(true)
  await asked(false)
})

test('while waiting for a second attempt, which is then never made', async () => {
  const user = await gateway.user()
  gateway.upstream.next({ status: 500, body: {} })
  const controller = new AbortController()
  const call = gateway.post('/chat/completions', user, { ...chat, model: 'openai/waits' }, { signal: controller.signal })
  const outcome = call.then(String, (error: unknown) => (error instanceof Error ? error.name : 'strange'))
  // Logged when the first attempt is over: from then on it waits for the second.
  await waitFor(() => gateway.log.some((line) => line.includes('openai/waits') && line.includes('a model call failed')))
  controller.abort()
  expect(await outcome).toBe('AbortError')
  // The row is written when no attempt can follow.
  expect(await gateway.ledger(user, 1)).toMatchObject([{ status: 499, aborted: true, attempts: 1 }])
  expect(gateway.upstream.requests).toHaveLength(1)
})

describe('by the official clients', () => {
  const hello = [{ role: 'user' as const, content: 'Hello' }]
  const endless: Behaviour = { writes: 4, end: 'hang' }

  test('OpenAI, streaming and not', async () => {
    const user = await gateway.user()
    const client = new OpenAI({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
    gateway.upstream.next(endless, silent)
    const stream = await client.chat.completions.create({ model: 'openai/gpt-test', messages: hello, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    const first = await gateway.upstream.arrived(1)
    await first.aborted

    const controller = new AbortController()
    const call = client.responses.create({ model: 'openai/gpt-test', input: 'Hello' }, { signal: controller.signal })
    const ended = expect(call).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    const second = await gateway.upstream.arrived(2)
    controller.abort()
    await Promise.all([second.aborted, ended])
    expect(await gateway.ledger(user, 2)).toMatchObject([{ aborted: true }, { aborted: true }])
  })

  test('Anthropic, streaming and not', async () => {
    const user = await gateway.user()
    const client = new Anthropic({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
    gateway.upstream.next(endless, silent)
    const stream = client.messages.stream({ model: 'anthropic/claude-test', max_tokens: 9, messages: hello })
    const aborted = expect(stream.done()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    stream.once('text', () => stream.abort())
    const first = await gateway.upstream.arrived(1)
    await Promise.all([first.aborted, aborted])

    const controller = new AbortController()
    const call = client.messages.create({ model: 'anthropic/claude-test', max_tokens: 9, messages: hello }, { signal: controller.signal })
    const ended = expect(call).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    const second = await gateway.upstream.arrived(2)
    controller.abort()
    await Promise.all([second.aborted, ended])
    // The input tokens that Anthropic reported before the disconnect are exact; the rest is estimated.
    expect(await gateway.ledger(user, 2)).toMatchObject([
      { aborted: true, input_tokens: 21, cached_input_tokens: 8 },
      { aborted: true, estimated: true },
    ])
  })
})

test('a caller that reads nothing slows down the provider, and is disconnected like any other', async () => {
  const user = await gateway.user()
  const event = `data: {"choices":[{"delta":{"content":"${'x'.repeat(64_000)}"}}]}\n\n`
  gateway.upstream.next({ pieces: Array(800).fill(event), end: 'hang' })
  const body = JSON.stringify({ ...chat, stream: true })
  const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', 'content-length': String(body.length) }
  const caller = request(`${gateway.url}/chat/completions`, { method: 'POST', headers, agent: false })
  caller.on('error', () => undefined)
  caller.on('response', (reply) => reply.pause())
  caller.end(body)
  const { state, aborted } = await gateway.upstream.arrived(1)
  await waitFor(() => state.written > 0)
  let written = -1
  while (state.written > written) {
    written = state.written
    await sleep(300)
  }
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(30_000_000)
  caller.destroy()
  await aborted
  expect(await gateway.ledger(user, 1)).toMatchObject([{ status: 499, aborted: true }])
})
