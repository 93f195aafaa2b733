// OpenAI's own client, unmodified, with models of a provider that has only Anthropic's API.
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anthropicFaults } from './support/anthropic-rules.ts'
import { type Gateway, type GatewayUser, startGateway } from './support/gateway.ts'
import type { Behaviour } from './support/upstream.ts'
import { greeting } from './support/upstream-format.ts'

let gateway: Gateway
let user: GatewayUser
let client: OpenAI

beforeAll(async () => {
  gateway = await startGateway({ env: { LLM_TOKENS_PER_MONTH: '1000000' } })
  user = await gateway.user()
  client = clientOf(user)
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => gateway.upstream.forget())

const clientOf = ({ token }: GatewayUser) => new OpenAI({ baseURL: gateway.url, apiKey: token, maxRetries: 0 })
const model = 'anthropic/claude-test'
const messages = [{ role: 'user' as const, content: 'Wie geht’s? 世界' }]
const twoCalls = [
  { id: 'toolu_a', name: 'fs__read', arguments: '{"path":"grüße.txt"}' },
  { id: 'toolu_b', name: 'fs__list', arguments: '{"path":"src","depth":2}' },
]
const tools = ['fs__read', 'fs__list'].map((name) => ({
  type: 'function' as const,
  function: { name, parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}))
const sent = () => gateway.upstream.requests.map(({ body }) => JSON.parse(String(body)))
const faults = () => gateway.upstream.requests.flatMap(({ body }) => anthropicFaults(body))

const manners: [string, Behaviour][] = [
  ['event by event', {}],
  ['byte by byte', { bytes_a_write: 1 }],
  ['seven bytes at a time, with carriage returns and comments', { line_end: '\r\n', comments: true, bytes_a_write: 7 }],
]

test('the list offers the models to clients of both APIs', async () => {
  const { data } = await client.models.list()
  expect(data.find(({ id }) => id === model)).toMatchObject({ dialects: ['anthropic', 'openai'] })
})

test('an answer that is not streamed, counted once', async () => {
  const caller = await gateway.user()
  const reply = await clientOf(caller).chat.completions.create({ model, messages })
  expect(reply).toMatchObject({
    ...{ object: 'chat.completion', model: 'claude-test' },
    choices: [{ message: { role: 'assistant', content: greeting }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 21, completion_tokens: 13, total_tokens: 34, prompt_tokens_details: { cached_tokens: 8 } },
  })
  const [request] = gateway.upstream.requests
  expect([request?.path, request?.headers['x-api-key'], request?.headers['anthropic-version'], request?.headers.authorization]).toEqual([
    ...['/v1/messages', 'sk-ant-canary-Zt81', '2023-06-01', undefined],
  ])
  expect([sent()[0], faults()]).toEqual([
    { model: 'claude-test', max_tokens: 8_192, messages: [{ role: 'user', content: [{ type: 'text', text: 'Wie geht’s? 世界' }] }] },
    [],
  ])
  expect(await gateway.ledger(caller, 1)).toEqual([
    {
      ...{ operation: 'chat_completions', model, status: 200, input_tokens: 21, cached_input_tokens: 8, output_tokens: 13 },
      ...{ estimated: false, aborted: false, attempts: 1 },
    },
  ])
})

describe.each(manners)('streamed %s', (_name, behaviour) => {
  test('text and usage, counted once', async () => {
    const caller = await gateway.user()
    gateway.upstream.next(behaviour)
    const asked = { model, messages, stream: true as const, stream_options: { include_usage: true } }
    let text = ''
    const usage: unknown[] = []
    for await (const chunk of await clientOf(caller).chat.completions.create(asked)) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.usage) usage.push(chunk.usage)
    }
    expect([text, usage]).toEqual([
      greeting,
      [{ prompt_tokens: 21, completion_tokens: 13, total_tokens: 34, prompt_tokens_details: { cached_tokens: 8 } }],
    ])
    expect(await gateway.ledger(caller, 1)).toMatchObject([
      { operation: 'chat_completions', model, status: 200, input_tokens: 21, cached_input_tokens: 8, output_tokens: 13, estimated: false },
    ])
  })

  test('several calls at once', async () => {
    gateway.upstream.next({ ...behaviour, answer: { text: 'Now:', calls: twoCalls } })
    const message = await client.chat.completions.stream({ model, messages, tools }).finalMessage()
    expect(message).toMatchObject({
      content: 'Now:',
      tool_calls: twoCalls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } })),
    })
  })
})

test('a round of tools', async () => {
  gateway.upstream.next({ answer: { calls: twoCalls } }, { answer: { text: 'Done.', finish_reason: 'length' } })
  const first = await client.chat.completions.create({ model, messages, tools })
  const asked = first.choices[0]?.message
  if (!asked) throw new Error('no answer')
  const results = twoCalls.map(({ id, name }) => ({ role: 'tool' as const, tool_call_id: id, content: `result of ${name}` }))
  const second = await client.chat.completions.create({ model, messages: [...messages, asked, ...results], tools })
  expect(second.choices[0]).toMatchObject({ message: { content: 'Done.' }, finish_reason: 'length' })
  expect(faults()).toEqual([])
  expect(sent()[1].messages[2]).toMatchObject({
    role: 'user',
    content: twoCalls.map(({ id, name }) => ({ tool_use_id: id, content: [{ type: 'text', text: `result of ${name}` }] })),
  })
})

describe('failures', () => {
  const fail = () => client.chat.completions.create({ model, messages }).catch((caught: unknown) => caught)

  test("the provider's own refusal, in the format of the caller", async () => {
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' }
    gateway.upstream.next({ status: 400, body: { type: 'error', error, request_id: 'req_1' } })
    const caught = await fail()
    expect(caught).toBeInstanceOf(OpenAI.BadRequestError)
    expect(caught).toMatchObject({ status: 400, error: { message: error.message, type: 'invalid_request_error', param: null, code: null } })
  })

  test('a request that cannot be translated reaches no provider and costs nothing', async () => {
    const caller = await gateway.user()
    const content = [{ type: 'input_audio' as const, input_audio: { data: 'AAAA', format: 'wav' as const } }]
    const asked = clientOf(caller).chat.completions.create({ model, messages: [{ role: 'user', content }] })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'messages.0.content.0', code: 'invalid_request' })
    expect(gateway.upstream.requests).toEqual([])
    expect(await gateway.ledger(caller, 1)).toMatchObject([{ status: 400, input_tokens: 0, output_tokens: 0 }])
  })

  test('an overloaded provider is tried again, and counted once', async () => {
    const caller = await gateway.user()
    gateway.upstream.next({ status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } }, {})
    const reply = await clientOf(caller).chat.completions.create({ model, messages })
    expect(reply.choices[0]?.message.content).toBe(greeting)
    expect(await gateway.ledger(caller, 1)).toMatchObject([{ status: 200, attempts: 2, input_tokens: 21, output_tokens: 13 }])
  })

  test('a stream that breaks off ends with an error', async () => {
    const caller = await gateway.user()
    gateway.upstream.next({ writes: 6, end: 'cut' })
    const stream = await clientOf(caller).chat.completions.create({ model, messages, stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(await gateway.ledger(caller, 1)).toMatchObject([{ status: 502, estimated: true }])
  })

  test('an error inside of the stream', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' }
    gateway.upstream.next({ pieces: [`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`] })
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    const read = async () => {
      for await (const _ of stream);
    }
    await expect(read()).rejects.toMatchObject({ code: 'overloaded_error' })
  })

  test('a key of the operator that is refused is not shown', async () => {
    gateway.upstream.next({ status: 401, body: { type: 'error', error: { type: 'authentication_error', message: 'sk-ant-canary-Zt81' } } })
    const caught = await fail()
    expect(caught).toMatchObject({ code: 'upstream_refused' })
    expect(JSON.stringify(caught)).not.toContain('canary')
  })
})
