// Anthropic's own client, unmodified, against the gateway.
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, type GatewayUser, startGateway } from './support/gateway.ts'
import type { Behaviour } from './support/upstream.ts'
import { greeting } from './support/upstream-format.ts'

let gateway: Gateway
let user: GatewayUser
let client: Anthropic

beforeAll(async () => {
  gateway = await startGateway()
  user = await gateway.user()
  client = new Anthropic({ baseURL: gateway.url, apiKey: user.token, maxRetries: 0 })
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => gateway.upstream.forget())

const model = 'anthropic/claude-test'
const ask = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Wie geht’s? 世界' }] }
const calls = [
  { id: 'toolu_a', name: 'fs__read', arguments: '{"path":"grüße.txt"}' },
  { id: 'toolu_b', name: 'fs__list', arguments: '{"path":"src","depth":2}' },
]
const tools = ['fs__read', 'fs__list'].map((name) => ({
  name,
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
}))
const manners: [string, Behaviour][] = [
  ['event by event', {}],
  ['byte by byte', { bytes_a_write: 1 }],
  ['all at once', { bytes_a_write: 1_000_000 }],
  ['with carriage returns and comments', { line_end: '\r\n', comments: true, bytes_a_write: 11 }],
]

test('a message, not streamed', async () => {
  expect(await client.messages.create(ask)).toMatchObject({
    id: 'msg_real',
    model: 'claude-test',
    content: [{ type: 'text', text: greeting }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 13, cache_read_input_tokens: 8, output_tokens: 13 },
  })
})

test('models: the list page by page, and one', async () => {
  const names: string[] = []
  for await (const model of client.models.list({ limit: 2 })) names.push(model.id)
  expect(names).toEqual(expect.arrayContaining(['anthropic/claude-test', 'anthropic/claude-other', 'backup/gpt-test', 'demo/scripted']))
  expect(names.filter((name) => name.startsWith('openai/'))).toEqual([])
  expect(await client.models.retrieve('anthropic/claude-test')).toEqual({
    type: 'model',
    id: 'anthropic/claude-test',
    display_name: 'The claude-test',
    created_at: '1970-01-01T00:00:00Z',
  })
  const missing = client.models.retrieve('openai/gpt-test')
  await expect(missing).rejects.toMatchObject({ status: 404, error: { type: 'error', error: { type: 'not_found_error' } } })
})

test('with a bearer token too', async () => {
  const other = new Anthropic({ baseURL: gateway.url, authToken: user.token, apiKey: null, maxRetries: 0 })
  expect(await other.messages.create(ask)).toMatchObject({ content: [{ type: 'text', text: greeting }] })
})

describe.each(manners)('streamed %s', (_name, behaviour) => {
  test('text', async () => {
    gateway.upstream.next(behaviour)
    const stream = client.messages.stream(ask)
    expect(await stream.finalText()).toBe(greeting)
    expect((await stream.finalMessage()).usage).toMatchObject({ input_tokens: 13, output_tokens: 13 })
  })

  test('several calls at once, their arguments in fragments', async () => {
    gateway.upstream.next({ ...behaviour, answer: { text: 'Now:', calls } })
    const message = await client.messages.stream({ ...ask, tools }).finalMessage()
    expect([message.stop_reason, message.content]).toMatchObject([
      'tool_use',
      [
        { type: 'text', text: 'Now:' },
        ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args) })),
      ],
    ])
  })
})

test('a round of tools', async () => {
  gateway.upstream.next({ answer: { calls } }, { answer: { text: 'Done.', finish_reason: 'length' } })
  const first = await client.messages.create({ ...ask, tools })
  const results = calls.map(({ id, name }) => ({ type: 'tool_result' as const, tool_use_id: id, content: `result of ${name}` }))
  const messages = [...ask.messages, { role: 'assistant' as const, content: first.content }, { role: 'user' as const, content: results }]
  expect(await client.messages.create({ ...ask, tools, messages })).toMatchObject({
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: 'max_tokens',
  })
  expect(JSON.parse(String(gateway.upstream.requests[1]?.body)).messages[2]).toEqual({ role: 'user', content: results })
})

test('tokens are counted, without cost', async () => {
  const counter = await gateway.user()
  const counting = new Anthropic({ baseURL: gateway.url, apiKey: counter.token, maxRetries: 0 })
  expect(await counting.messages.countTokens({ model, messages: ask.messages })).toEqual({ input_tokens: 42 })
  expect(gateway.upstream.requests[0]?.path).toBe('/v1/messages/count_tokens')
  const [row] = await gateway.ledger(counter, 1)
  expect(row).toMatchObject({ operation: 'count_tokens', model, status: 200, input_tokens: 0, output_tokens: 0 })
})

describe('errors have the types that the client expects', () => {
  test('an invalid token', async () => {
    const stranger = new Anthropic({ baseURL: gateway.url, apiKey: 'nonsense', maxRetries: 0 })
    const error = await stranger.messages.create(ask).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(error).toMatchObject({ status: 401, error: { type: 'error', error: { type: 'authentication_error' } } })
  })

  test('an unknown model, and one that does not support this API', async () => {
    const missing = await client.messages.create({ ...ask, model: 'anthropic-x/claude' }).catch((caught: unknown) => caught)
    expect(missing).toBeInstanceOf(Anthropic.NotFoundError)
    expect(missing).toMatchObject({ error: { type: 'error', error: { type: 'not_found_error' }, request_id: expect.any(String) } })
    const foreign = await client.messages.create({ ...ask, model: 'openai/gpt-test' }).catch((caught: unknown) => caught)
    expect(foreign).toBeInstanceOf(Anthropic.BadRequestError)
    expect(foreign).toMatchObject({ error: { error: { type: 'invalid_request_error' } } })
  })

  test("the provider's own refusal, with its own text", async () => {
    const said = { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too many' }, request_id: 'req_1' }
    gateway.upstream.next({ status: 400, body: said })
    await expect(client.messages.create(ask)).rejects.toMatchObject({ status: 400, error: said })
  })
})

test('a request arrives unchanged', async () => {
  const body = `{"model":"${model}","max_tokens":7,"messages":[{"role":"user","content":"\\u00e4 ä"}],"thinking":{"type":"enabled","budget_tokens":99999999999999999},"x_new":[1.0]}`
  const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'one-2025-01-01,two-2026-02-02' }
  for (const path of ['/messages', '/v1/messages']) expect((await gateway.post(path, user, body, { headers })).status).toBe(200)
  for (const { body: arrived, headers: sent, path } of gateway.upstream.requests) {
    expect([path, String(arrived)]).toEqual(['/v1/messages', body.replace(model, 'claude-test')])
    expect(sent).toMatchObject({ ...headers, 'x-api-key': 'sk-ant-canary-Zt81' })
    expect(sent.authorization).toBeUndefined()
  }
})
