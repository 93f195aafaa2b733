// OpenAI's own client, unmodified, against the gateway.
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, type GatewayUser, startGateway } from './support/gateway.ts'
import type { Behaviour } from './support/upstream.ts'
import { greeting } from './support/upstream-format.ts'

let gateway: Gateway
let user: GatewayUser
let client: OpenAI

beforeAll(async () => {
  gateway = await startGateway()
  user = await gateway.user()
  client = new OpenAI({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => gateway.upstream.forget())

const model = 'openai/gpt-test'
const messages = [{ role: 'user' as const, content: 'Wie geht’s? 世界' }]
const twoCalls = [
  { id: 'call_a', name: 'fs__read', arguments: '{"path":"grüße.txt"}' },
  { id: 'call_b', name: 'fs__list', arguments: '{"path":"src","depth":2}' },
]
const tools = ['fs__read', 'fs__list'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}))

/** Every way in which a stream may be split and extended has the same result. */
const manners: [string, Behaviour][] = [
  ['event by event', {}],
  ['byte by byte', { bytes_a_write: 1 }],
  ['seven bytes at a time', { bytes_a_write: 7 }],
  ['all at once', { bytes_a_write: 1_000_000 }],
  ['with carriage returns', { line_end: '\r\n', bytes_a_write: 11 }],
  ['with comments between', { comments: true, bytes_a_write: 5 }],
  ['slowly', { pause_ms: 3 }],
]

test('models: the list, one, and one at its unescaped address', async () => {
  const all = []
  for await (const one of client.models.list()) all.push(one.id)
  expect(all.filter((id) => id.startsWith('openai/') || id === 'demo/scripted').sort()).toEqual([
    'demo/scripted',
    'openai/embed-test',
    'openai/gpt-other',
    'openai/gpt-test',
  ])
  const one = await client.models.retrieve(model)
  expect(one).toMatchObject({ id: model, object: 'model', owned_by: 'openai' })
  const plain = await fetch(`${gateway.url}/models/${model}`, { headers: { authorization: `Bearer ${user.token}` } })
  expect(await plain.json()).toEqual(one)
  await expect(client.models.retrieve('openai/nothing')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
})

describe('chat', () => {
  test('not streamed', async () => {
    const completion = await client.chat.completions.create({ model, messages })
    expect(completion.choices[0]).toMatchObject({ message: { role: 'assistant', content: greeting }, finish_reason: 'stop' })
    expect(completion.usage).toMatchObject({ prompt_tokens: 21, completion_tokens: 13 })
  })

  test.each(manners)('streamed %s', async (_name, behaviour) => {
    gateway.upstream.next(behaviour)
    const stream = await client.chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } })
    let text = ''
    let usage: unknown
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect([text, usage]).toMatchObject([greeting, { prompt_tokens: 21, completion_tokens: 13 }])
  })

  test.each(manners)('usage is requested, and hidden from callers that did not request it (%s)', async (_name, behaviour) => {
    gateway.upstream.next(behaviour)
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    let text = ''
    for await (const chunk of stream) {
      expect(chunk.choices).toHaveLength(1)
      expect(chunk.usage ?? null).toBe(null)
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe(greeting)
    expect(JSON.parse(String(gateway.upstream.requests[0]?.body))).toMatchObject({ stream_options: { include_usage: true } })
  })

  test.each(manners)('several calls at once, their arguments in fragments, %s', async (_name, behaviour) => {
    gateway.upstream.next({ ...behaviour, answer: { calls: twoCalls } })
    const completion = await client.chat.completions.stream({ model, messages, tools }).finalChatCompletion()
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: twoCalls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } })) },
    })
  })

  test('a complete round of tools, run by the client', async () => {
    gateway.upstream.next({ answer: { calls: twoCalls } }, { answer: { text: 'Done.' } })
    const asked: unknown[] = []
    const run = (name: string) => ({
      type: 'function' as const,
      function: {
        name,
        description: name,
        parameters: { type: 'object', properties: {} },
        parse: (text: string): object => JSON.parse(text),
        function: (input: object) => {
          asked.push([name, input])
          return `result of ${name}`
        },
      },
    })
    const runner = client.chat.completions.runTools({ model, messages, stream: true, tools: [run('fs__read'), run('fs__list')] })
    expect(await runner.finalContent()).toBe('Done.')
    expect(asked).toEqual([
      ['fs__read', { path: 'grüße.txt' }],
      ['fs__list', { path: 'src', depth: 2 }],
    ])
    expect(JSON.parse(String(gateway.upstream.requests[1]?.body)).messages.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'call_a', content: 'result of fs__read' },
      { role: 'tool', tool_call_id: 'call_b', content: 'result of fs__list' },
    ])
  })

  test('ended by its length, and without usage', async () => {
    gateway.upstream.next({ answer: { text: 'Once upon', finish_reason: 'length', usage: null } })
    const completion = await client.chat.completions.create({ model, messages, max_completion_tokens: 2 })
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'Once upon' } })
    expect(completion.usage).toBeUndefined()
  })
})

describe('responses', () => {
  test('not streamed', async () => {
    const response = await client.responses.create({ model, input: 'Hello' })
    expect([response.output_text, response.status, response.usage?.total_tokens]).toEqual([greeting, 'completed', 34])
  })

  test.each(manners)('streamed %s', async (_name, behaviour) => {
    gateway.upstream.next({ ...behaviour, answer: { text: greeting, calls: twoCalls } })
    const response = await client.responses.stream({ model, input: 'Hello' }).finalResponse()
    expect(response.output_text).toBe(greeting)
    expect(response.output.filter((item) => item.type === 'function_call')).toMatchObject(
      twoCalls.map(({ id, name, arguments: args }) => ({ call_id: id, name, arguments: args })),
    )
    expect(response.usage).toMatchObject({ input_tokens: 21, output_tokens: 13 })
  })
})

test("embeddings, as numbers and in the client's default encoding", async () => {
  const plain = await client.embeddings.create({ model: 'openai/embed-test', input: ['a', 'b'], encoding_format: 'float' })
  const packed = await client.embeddings.create({ model: 'openai/embed-test', input: ['a', 'b'] })
  const vectors = [
    [0.25, -0.5, 0],
    [0.25, -0.5, 1],
  ]
  expect([plain, packed].map(({ data }) => data.map((one) => [...one.embedding]))).toEqual([vectors, vectors])
})

describe('errors have the types that the client expects', () => {
  test('an invalid token', async () => {
    const stranger = new OpenAI({ baseURL: gateway.url, apiKey: 'nonsense', maxRetries: 0 })
    const error = await stranger.chat.completions.create({ model, messages }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_token', type: 'authentication_error' })
    expect(gateway.upstream.requests).toEqual([])
  })

  test('an unknown model, an unknown provider', async () => {
    for (const missing of ['strange/model', 'gpt-test', 'openai']) {
      const error = await client.chat.completions.create({ model: missing, messages }).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(OpenAI.NotFoundError)
      expect(error).toMatchObject({ code: 'model_not_found', type: 'not_found_error' })
    }
  })

  test('a model that does not support this API', async () => {
    const error = await client.embeddings.create({ model: 'demo/scripted', input: 'x' }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ code: 'dialect_unsupported' })
  })

  test("the provider's own refusal, with its own text", async () => {
    const said = {
      error: { message: "'temperature' is too high", type: 'invalid_request_error', param: 'temperature', code: 'out_of_range' },
    }
    gateway.upstream.next({ status: 400, body: said })
    const error = await client.chat.completions.create({ model, messages }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(OpenAI.BadRequestError)
    expect(error).toMatchObject({ error: said.error, param: 'temperature', code: 'out_of_range' })
  })

  test('a body that is not JSON', async () => {
    const reply = await gateway.post('/chat/completions', user, '{"model": ')
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { type: 'invalid_request_error', code: 'invalid_request' } }])
  })
})

test('a request arrives unchanged, with only the relevant headers', async () => {
  const body = `{ "model" : "${model}",  "messages":[{"role":"user","content":"\\u00e4 ä 👋"}], "seed": 12345678901234567890, "x_new": {"deep":[1.0,2e3,null], "a":1, "a":2},\n"logit_bias":{"50256":-100} }`
  const reply = await gateway.post('/chat/completions', user, body, {
    headers: {
      'openai-beta': 'assistants=v9',
      'idempotency-key': 'k-1',
      cookie: 'a=b',
      'x-forwarded-host': 'evil',
      'openai-organization': 'org-x',
    },
  })
  expect(reply.status).toBe(200)
  const [arrived] = gateway.upstream.requests
  expect(String(arrived?.body)).toBe(body.replace(`"${model}"`, '"gpt-test"'))
  expect(arrived?.headers).toMatchObject({
    'openai-beta': 'assistants=v9',
    authorization: 'Bearer sk-canary-openai-7Yq2',
    'content-type': 'application/json',
  })
  expect(Object.keys(arrived?.headers ?? {}).filter((name) => /cookie|forwarded|organization/.test(name))).toEqual([])
  expect(reply.headers.get('x-generation-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('rate limit headers are returned', async () => {
  const { response } = await client.chat.completions.create({ model, messages }).withResponse()
  expect(Number(response.headers.get('x-ratelimit-limit-requests'))).toBeGreaterThan(0)
  expect(Number(response.headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThan(0)
})
