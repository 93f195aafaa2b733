// Calls through the whole backend to a provider over real HTTP: what it receives, what is returned, what is settled.
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { canaries, type Gateway, type GatewayUser, startGateway } from '../../../test/support/gateway.ts'

let gateway: Gateway
let user: GatewayUser

beforeAll(async () => {
  gateway = await startGateway({
    file: { aliases: { fast: 'openai/gpt-test' }, fallbacks: { 'nobody/first': ['backup/second'] } },
    options: { deadlines: { first_byte_ms: 60_000, whole_ms: 60_000, idle_ms: 2_000, ping_ms: 100 }, reply_bytes_max: 200_000 },
  })
})
beforeAll(async () => {
  user = await gateway.user()
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => {
  gateway.upstream.forget()
  gateway.backup.forget()
})

const hello = { model: 'openai/gpt-test', messages: [{ role: 'user', content: 'Hello' }] }

describe('requests', () => {
  test('every byte except the name of the model is unchanged', async () => {
    const body =
      '{ "x_big":12345678901234567890, "x":1,"x":2 ,"__proto__":{"a":1}, "model" : "openai/gpt-test","messages":[] , "models":["fast"]}'
    const reply = await gateway.post('/chat/completions', user, body, {
      headers: {
        'openai-beta': 'some-beta',
        'idempotency-key': 'mine',
        cookie: 'secret=1',
        'openai-organization': 'org-1',
        'x-stainless-lang': 'js',
      },
    })
    expect(reply.status).toBe(200)
    const [request] = gateway.upstream.requests
    expect(request?.body.toString()).toBe(
      '{ "x_big":12345678901234567890, "x":1,"x":2 ,"__proto__":{"a":1}, "model" : "gpt-test","messages":[] }',
    )
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${canaries[0]}`,
      'openai-beta': 'some-beta',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const name of ['cookie', 'openai-organization', 'x-stainless-lang']) expect(request?.headers[name]).toBe(undefined)
  })

  test('query parameters that only the provider would know are ignored, and not forwarded', async () => {
    const answers = await Promise.all([
      gateway.post('/v1/messages?beta=true', user, { ...hello, model: 'anthropic/claude-test', max_tokens: 10 }),
      gateway.post('/chat/completions?api-version=2025-01-01&x=1', user, hello),
      fetch(`${gateway.url}/models?beta=true`, { headers: { authorization: `Bearer ${user.token}` } }),
      fetch(`${gateway.url}/v1/models?limit=1&beta=true`, { headers: { authorization: `Bearer ${user.token}` } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(gateway.upstream.requests.map(({ path }) => path).toSorted()).toEqual(['/v1/chat/completions', '/v1/messages'])
  })

  test("Anthropic's client may send its token as an API key", async () => {
    const reply = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': user.token, 'content-type': 'application/json', 'anthropic-version': '2024-01-01', 'anthropic-beta': 'b' },
      body: JSON.stringify({ ...hello, model: 'anthropic/claude-test', max_tokens: 10 }),
    })
    expect([reply.status, reply.headers.get('request-id')]).toEqual([200, reply.headers.get('x-request-id')])
    expect(gateway.upstream.requests[0]?.headers).toMatchObject({
      'x-api-key': canaries[1],
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'b',
    })
    expect(gateway.upstream.requests[0]?.headers.authorization).toBe(undefined)
  })

  test('aliases, and fallbacks in the configuration and in the body', async () => {
    const models = async (body: object) => {
      const reply = await gateway.post('/chat/completions', user, { messages: [], ...body })
      return [
        reply.status,
        ...[...gateway.upstream.requests, ...gateway.backup.requests].map((one) => JSON.parse(one.body.toString()).model),
      ]
    }
    expect(await models({ model: 'fast' })).toEqual([200, 'gpt-test'])
    gateway.upstream.forget()
    expect(await models({ model: 'nobody/first' })).toEqual([200, 'second'])
    gateway.backup.forget()
    gateway.upstream.always({ status: 503 })
    expect(await models({ models: ['openai/a', 'backup/b'] })).toEqual([200, 'a', 'a', 'a', 'b'])
  })
})

describe('refused in the dialect of the caller', () => {
  const cases: [string, string, object | string, number, unknown][] = [
    ['not JSON', '/chat/completions', '{', 400, { param: null, code: 'invalid_request', type: 'invalid_request_error' }],
    ['no model', '/chat/completions', {}, 400, { param: 'model', code: 'invalid_request' }],
    ['an unknown model', '/chat/completions', { ...hello, model: 'x/y' }, 404, { param: 'model', code: 'model_not_found' }],
    ['a model without a provider', '/embeddings', { ...hello, model: 'gpt' }, 404, { code: 'model_not_found' }],
    ['another dialect', '/responses', { ...hello, model: 'anthropic/c' }, 400, { code: 'dialect_unsupported' }],
  ]
  test.each(cases)('%s', async (_name, path, body, status, error) => {
    const reply = await gateway.post(path, user, body)
    expect([reply.status, await reply.json()]).toMatchObject([status, { error }])
  })

  test("in Anthropic's dialect too", async () => {
    const reply = await gateway.post('/messages', user, { model: 'openai/gpt-test' })
    expect([reply.status, await reply.json()]).toEqual([
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: expect.stringContaining('messages is not supported: openai/gpt-test supports openai'),
        },
        request_id: reply.headers.get('x-request-id'),
      },
    ])
  })

  test('without a token, at an unknown address, with an unsupported method, of another type', async () => {
    const get = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(`${gateway.url}${path}`, init)
      return [reply.status, await reply.json()]
    }
    expect(await get('/models')).toMatchObject([401, { error: { type: 'authentication_error', code: 'unauthorized' } }])
    expect(await get('/v1/messages', { method: 'POST' })).toMatchObject([401, { type: 'error', error: { type: 'authentication_error' } }])
    expect(await get('/nothing')).toMatchObject([404, { error: { code: 'not_found' } }])
    expect(await get('/messages')).toMatchObject([405, { type: 'error', error: { type: 'invalid_request_error' } }])
    expect(await get('/chat/completions', { method: 'POST', body: 'x', headers: { authorization: `Bearer ${user.token}` } })).toMatchObject(
      [415, { error: { code: 'unsupported_media_type' } }],
    )
    expect(await get('/usage')).toMatchObject([401, { code: 'unauthorized', type: 'urn:tandem:problem:unauthorized' }])
  })
})

describe('responses', () => {
  test('a generation has an id before its first byte, and nothing is compressed', async () => {
    gateway.upstream.next({
      headers: { 'x-request-id': 'up-1', 'openai-processing-ms': '12', 'set-cookie': 'a=b', 'openai-organization': 'org' },
    })
    const reply = await gateway.post('/chat/completions', user, { ...hello, stream: true }, { headers: { 'accept-encoding': 'gzip' } })
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream'),
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-generation-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-upstream-request-id': 'up-1',
      'openai-processing-ms': '12',
    })
    for (const name of ['set-cookie', 'openai-organization', 'content-encoding']) expect(reply.headers.get(name)).toBe(null)
    expect(await reply.text()).toMatch(/data: \[DONE\]\n\n$/)
  })

  test('a silent stream is kept alive with comments, and ends with an error if it stays silent', async () => {
    gateway.upstream.next({ writes: 1, end: 'hang' })
    const reply = await gateway.post('/chat/completions', user, { ...hello, stream: true })
    const text = await reply.text()
    expect(text).toContain('\n\n: ping\n\n')
    expect(text).toMatch(/\n\ndata: \{"error":\{"message":"openai stopped sending[^\n]*"code":"upstream_timeout"\}\}\n\n$/)
    expect(text).not.toContain('[DONE]')
  })

  test('a response over the limit is aborted', async () => {
    gateway.upstream.next({ body: { text: 'x'.repeat(300_000) } })
    const reply = await gateway.post('/chat/completions', user, hello)
    await expect(reply.text()).rejects.toThrow()
    const event = `event: ping\ndata: {"type":"ping","x":"${'y'.repeat(60_000)}"}\n\n`
    gateway.upstream.next({ headers: { 'content-type': 'text/event-stream' }, pieces: [event, event, event, event, event] })
    const stream = await gateway.post('/messages', user, { ...hello, model: 'anthropic/claude-test', max_tokens: 1, stream: true })
    expect(await stream.text()).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"api_error"[^\n]*\n\n$/)
  })

  test('a response that is neither JSON nor events is a failure, and is not retried', async () => {
    gateway.upstream.always({ headers: { 'content-type': 'text/html' }, body: '<script>' })
    const reply = await gateway.post('/chat/completions', user, { ...hello, model: 'openai/page' })
    expect([reply.status, await reply.json()]).toMatchObject([502, { error: { code: 'upstream_failed' } }])
    expect(gateway.upstream.requests).toHaveLength(1)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
  ] as const)('an unrequested %s response is decoded and counted, and requested once', async (encoding, compress) => {
    const other = await gateway.user()
    const whole = { id: 'c', choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } }
    const headers = { 'content-encoding': encoding }
    gateway.upstream.next({ headers, body: compress(JSON.stringify(whole)) })
    const reply = await gateway.post('/chat/completions', other, hello)
    expect([reply.headers.get('content-encoding'), await reply.json()]).toEqual([null, whole])
    const events = `data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\ndata: [DONE]\n\n`
    gateway.upstream.next({ headers, pieces: [compress(events)] })
    expect(await (await gateway.post('/chat/completions', other, { ...hello, stream: true })).text()).toContain('"content":"Hi"')
    expect(await gateway.ledger(other, 2)).toMatchObject([
      { status: 200, input_tokens: 7, output_tokens: 5, estimated: false, attempts: 1 },
      { status: 200, input_tokens: 3, output_tokens: 2, estimated: false, attempts: 1 },
    ])
    expect(gateway.upstream.requests).toHaveLength(2)
  })

  test('finds usage that precedes a long response', async () => {
    const other = await gateway.user()
    gateway.upstream.next({ body: { usage: { prompt_tokens: 7, completion_tokens: 5 }, choices: ['x'.repeat(100_000)] } })
    await (await gateway.post('/chat/completions', other, hello)).text()
    expect(await gateway.ledger(other, 1)).toMatchObject([{ input_tokens: 7, output_tokens: 5, estimated: false }])
  })

  test('what was read of a stream before the caller disconnected is counted', async () => {
    const other = await gateway.user()
    const start = 'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":11,"output_tokens":1}}}\n\n'
    const words = `event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"type":"text_delta","text":"${'word '.repeat(2_000)}"}}\n\n`
    gateway.upstream.next({ headers: { 'content-type': 'text/event-stream' }, pieces: [start, words], end: 'hang' })
    const controller = new AbortController()
    const body = { ...hello, model: 'anthropic/claude-test', max_tokens: 10, stream: true }
    const reply = await gateway.post('/messages', other, body, { signal: controller.signal })
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) {
      text += decoder.decode(chunk)
      if (text.includes('word "')) break
    }
    controller.abort()
    expect(await gateway.ledger(other, 1)).toMatchObject([{ status: 499, input_tokens: 11, output_tokens: 2_500, estimated: true }])
  })

  test('limits of the provider are reported without the account of the operator', async () => {
    const told = 'Rate limit reached for gpt-test in organization org-Ab12Cd34Ef56 on requests per min. Limit: 3'
    gateway.upstream.always({ status: 429, headers: { 'retry-after': '20' }, body: { error: { message: told } } })
    const reply = await gateway.post('/chat/completions', user, hello)
    const text = await reply.text()
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-should-retry')]).toEqual([429, '20', null])
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'upstream_rate_limited' } })
    expect(text).not.toContain('org-')
  })

  test.each([401, 404])('after %i of a provider the next model is tried', async (status) => {
    gateway.upstream.always({ status, body: { error: { message: 'no' } } })
    const reply = await gateway.post('/chat/completions', user, { messages: [], models: ['openai/missing', 'backup/b'] })
    expect([reply.status, gateway.upstream.requests.length, gateway.backup.requests.length]).toEqual([200, 1, 1])
  })

  test('clients are told not to retry permanent refusals', async () => {
    gateway.upstream.next({ status: 401 }, { status: 409, body: { error: { message: 'conflict' } } }, { status: 409 }, { status: 409 })
    const shouldRetry = async (body: object) => {
      const reply = await gateway.post('/chat/completions', user, { ...hello, ...body })
      return [reply.status, reply.headers.get('x-should-retry')]
    }
    expect(await shouldRetry({ model: 'openai/refused' })).toEqual([502, 'false'])
    expect(await shouldRetry({ model: 'x/y' })).toEqual([404, 'false'])
    expect(await shouldRetry({ model: 'gone/x' })).toEqual([502, null])
  })

  test('aliases are listed, and can be retrieved by name', async () => {
    const get = async (path: string) => {
      const reply = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${user.token}` } })
      return (await reply.json()) as { readonly data?: readonly { readonly id: string }[] }
    }
    const { data } = await get('/models')
    const [target, alias] = ['openai/gpt-test', 'fast'].map((name) => data?.find(({ id }) => id === name))
    expect(target).toBeDefined()
    expect(alias).toEqual({ ...target, id: 'fast' })
    expect(await get('/models/fast')).toEqual(alias)
  })

  test('an account that makes a model fail does not block it for another', async () => {
    const [one, other] = [await gateway.user(), await gateway.user()]
    const body = { ...hello, model: 'openai/shared' }
    gateway.upstream.always({ status: 500 })
    for (let call = 0; call < 4; call += 1) await gateway.post('/chat/completions', one, body)
    gateway.upstream.always({})
    expect((await gateway.post('/chat/completions', one, body)).status).toBe(502)
    for (let call = 0; call < 5; call += 1) expect((await gateway.post('/chat/completions', other, body)).status).toBe(200)
  })

  test('a provider that has failed five times is not called for a while, then tried again', async () => {
    gateway.upstream.always({ status: 500, body: { error: { message: `your key ${canaries[0]} is fine, we are not` } } })
    const body = { ...hello, model: 'openai/broken' }
    for (const attempts of [3, 5]) {
      const reply = await gateway.post('/chat/completions', user, body)
      expect([reply.status, gateway.upstream.requests.length]).toEqual([502, attempts])
      expect(await reply.text()).not.toContain(canaries[0])
    }
    const resting = await gateway.post('/chat/completions', user, body)
    expect([resting.status, resting.headers.get('retry-after'), gateway.upstream.requests.length]).toEqual([502, '5', 5])
    gateway.upstream.always({})
    gateway.passTime(6_000)
    expect((await gateway.post('/chat/completions', user, body)).status).toBe(200)
  })
})

test('disconnecting during the wait for a retry ends the call', async () => {
  const other = await gateway.user()
  gateway.upstream.always({ status: 429, headers: { 'retry-after': '5' } })
  const controller = new AbortController()
  const call = gateway.post('/chat/completions', other, hello, { signal: controller.signal })
  await gateway.upstream.arrived(1)
  await sleep(50)
  controller.abort()
  await expect(call).rejects.toThrow()
  expect(await gateway.ledger(other, 1)).toMatchObject([{ status: 499, aborted: true, attempts: 1, output_tokens: 0, estimated: true }])
  expect(gateway.upstream.requests).toHaveLength(1)
})

test('no key is ever logged', () => {
  expect(canaries.filter((key) => gateway.log.join('').includes(key))).toEqual([])
})
