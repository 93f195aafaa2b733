// Servers with their own variants of the API: each is a real one over HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { systemClock } from '../clock/clock.ts'
import { type Model, openModel, type TurnOutcome } from './model.ts'

let scripted: TestModel | undefined
let server: Server | undefined
let model: Model | undefined
afterEach(async () => {
  model?.close()
  await scripted?.close()
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)))
  ;[scripted, server, model] = [undefined, undefined, undefined]
})

const tool = { type: 'function', function: { name: 'f', description: 'F.', parameters: { type: 'object' } } } as const
const ask = (from: Model, onText: () => void = () => undefined) =>
  from.turn({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [tool],
    temperature: null,
    signal: new AbortController().signal,
    onText,
  })

async function say(...script: ScriptedTurn[]): Promise<TurnOutcome> {
  scripted = await startTestModel(script)
  model = openModel({ base_url: scripted.base_url, key: async () => 'sk-canary' }, systemClock)
  return ask(model)
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const listening = createServer((request, response) => void request.resume().on('end', () => answer(request, response)))
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

const chunk = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...fields }] })}\n\n`
const refusal = (message: string, fields: object = {}) => JSON.stringify({ error: { message, ...fields } })

test.each<[string, ScriptedTurn, object]>([
  [
    'an error inside a 200',
    { whole: { error: { code: 'context_length_exceeded', message: 'Too long.' } } },
    { code: 'context_overflow', message: 'Too long.' },
  ],
  ['no credits, inside a 200', { whole: { error: { code: 402, message: 'Insufficient credits' } } }, { code: 'budget_spent', status: 402 }],
  [
    'an error inside a stream',
    { raw: [chunk({ delta: { content: 'Hel' } }), `data: ${refusal("This model's maximum context length is 8192 tokens.")}\n\n`] },
    { code: 'context_overflow', context_tokens: 8_192, message: "This model's maximum context length is 8192 tokens." },
  ],
  [
    'an overload inside a stream',
    { raw: [`data: ${refusal('Overloaded', { type: 'overloaded_error' })}\n\n`] },
    { code: 'server_error', message: 'Overloaded' },
  ],
  [
    'a web page instead of a response',
    { whole: '<!doctype html><p>Hello' },
    { code: 'wrong_address', message: expect.stringContaining('a web page') },
  ],
  [
    'a server that returns the key',
    { status: 400, body: refusal('Bearer sk-canary is odd') },
    { code: 'rejected', message: 'Bearer [key] is odd' },
  ],
])('%s', async (_name, turn, failure) => {
  expect(await say(turn)).toMatchObject({ ok: false, failure })
})

test('accepts a complete response, and a stream that is not declared as one', async () => {
  const whole = { choices: [{ message: { role: 'assistant', content: [{ type: 'text', text: 'Whole.' }] }, finish_reason: 'stop' }] }
  expect(await say({ whole })).toMatchObject({ ok: true, turn: { text: 'Whole.' } })
  await scripted?.close()
  expect(await say({ whole: `${chunk({ delta: { content: 'Streamed.' }, finish_reason: 'stop' })}data: [DONE]\n\n` })).toMatchObject({
    ok: true,
    turn: { text: 'Streamed.' },
  })
})

test.each<[string, string, number, string, object]>([
  ['stream_options', "Unknown parameter: 'stream_options'", 400, 'stream_options', { stream: true }],
  ['stream', 'Streaming is not supported', 400, 'stream', { stream: false }],
  ['tools', 'm does not support tools', 400, 'tools', { stream: true, stream_options: { include_usage: true } }],
])('a server that refuses %s gets the request without it, immediately and from then on', async (_name, message, status, part, rest) => {
  const answer = { whole: { choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }] } }
  expect(await say({ status, body: refusal(message) }, answer, answer)).toMatchObject({
    ok: true,
    left_out: [part],
    turn: { text: 'Yes.' },
  })
  if (model) expect(await ask(model)).toMatchObject({ ok: true, left_out: [part] })
  const { messages: _messages, tools, ...sent } = scripted?.requests.at(-1) ?? { messages: [] }
  expect([scripted?.requests.length, sent, tools === undefined]).toEqual([3, { model: 'm', ...rest }, part === 'tools'])
})

test('ends if everything is refused, with the message of the server', async () => {
  const body = refusal('stream, stream_options and tools are not supported')
  expect(await say(...Array.from({ length: 9 }, () => ({ status: 400, body })))).toMatchObject({ ok: false, failure: { code: 'rejected' } })
  expect(scripted?.requests.length).toBe(4)
})

test('a stream that stays open after [DONE] has ended, and its connection is released a moment later', async () => {
  const clock = testClock()
  const open = Promise.withResolvers<void>()
  scripted = await startTestModel([{ text: 'All said.', openUntil: open.promise }])
  model = openModel({ base_url: scripted.base_url, key: async () => null }, clock)
  expect(await ask(model)).toMatchObject({ ok: true, turn: { text: 'All said.', usage: { input_tokens: 10 } } })
  expect(scripted.aborted()).toBe(0)
  clock.advance(1_000)
  await expect.poll(() => scripted?.aborted()).toBe(1)
  open.resolve()
})

test('a stream that stays open after its last event, without [DONE], has ended too', async () => {
  const clock = testClock()
  const raw = [chunk({ delta: { content: 'All said.' }, finish_reason: 'stop' })]
  scripted = await startTestModel([{ raw, openUntil: new Promise(() => undefined) }])
  model = openModel({ base_url: scripted.base_url, key: async () => null }, clock)
  let said = false
  const turn = ask(model, () => {
    said = true
  })
  await expect.poll(() => said).toBe(true)
  clock.advance(10_000)
  expect(await turn).toMatchObject({ ok: true, turn: { text: 'All said.', finish_reason: 'stop' } })
})

test('reuses connections whose responses have ended', async () => {
  const ports = new Set<number | undefined>()
  const url = await listen((request, response) => {
    ports.add(request.socket.remotePort)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${chunk({ delta: { content: 'Yes.' }, finish_reason: 'stop' })}data: [DONE]\n\n`)
  })
  const opened = openModel({ base_url: `${url}/v1`, key: async () => null }, systemClock)
  model = opened
  // A response ends a moment after its last event; the turn after that finds the connection free.
  for (let turn = 0; turn < 2; turn += 1) {
    await expect
      .poll(async () => {
        const before = ports.size
        return [await ask(opened), ports.size > 0 && ports.size === before]
      })
      .toEqual([expect.objectContaining({ ok: true }), true])
  }
})

test.each([
  ['comments', ': keep-alive\n\n'],
  ['empty chunks', chunk({ delta: { content: '' } })],
])('a stream of nothing but %s times out, although it is never silent for long', async (_name, sign) => {
  const clock = testClock()
  let write: () => Promise<void> = async () => undefined
  const url = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    write = () => new Promise((resolve) => response.write(sign, () => resolve()))
  })
  model = openModel({ base_url: `${url}/v1`, key: async () => null }, clock)
  let outcome: TurnOutcome | null = null
  void ask(model).then((ended) => {
    outcome = ended
  })
  for (let minute = 0; minute < 30 && outcome === null; minute += 1) {
    await write()
    await new Promise((resolve) => setTimeout(resolve, 20))
    clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(outcome).toMatchObject({
    ok: false,
    failure: { code: 'timeout', message: expect.stringContaining('only kept the connection open for 10 minutes') },
  })
})

/** An API at one path; everything else gets the server's own response. */
async function apiAt(path: string, elsewhere: (response: ServerResponse) => void): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const url = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.url !== path) return elsewhere(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content: 'Found.' }, finish_reason: 'stop' }] }))
  })
  return { url, asked }
}

test.each<[string, string, string, (response: ServerResponse) => void]>([
  ['Ollama without /v1', '', '/v1/chat/completions', (response) => response.writeHead(404).end('404 page not found')],
  ['a full path', '/v1/chat/completions', '/v1/chat/completions', (response) => response.writeHead(404).end()],
  ['an API at the root', '', '/chat/completions', (response) => response.writeHead(404).end('{"detail":"Not Found"}')],
  [
    'a router without /v1',
    '/api',
    '/api/v1/chat/completions',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  ],
  [
    'LM Studio without /v1',
    '/lm',
    '/lm/v1/chat/completions',
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"error":"Unexpected endpoint or method. (POST /lm/chat/completions)"}'),
  ],
])('finds %s', async (_name, typed, path, elsewhere) => {
  const { url, asked } = await apiAt(path, elsewhere)
  model = openModel({ base_url: `${url.replace('http://', '')}${typed}`, key: async () => null }, systemClock)
  expect(await ask(model)).toMatchObject({ ok: true, turn: { text: 'Found.' } })
  expect(await ask(model)).toMatchObject({ ok: true })
  // Found once, it is not searched again.
  expect(asked.filter((one) => one === `POST ${path}`).length).toBe(2)
  expect(asked.length).toBeLessThanOrEqual(3)
})

test('an address without an API reports what was tried', async () => {
  const { url } = await apiAt('/nowhere', (response) => response.writeHead(404).end('404 page not found'))
  model = openModel({ base_url: url, key: async () => null }, systemClock)
  expect(await ask(model)).toEqual({
    ok: false,
    failure: {
      code: 'wrong_address',
      message: `No model responds at ${url}/v1/chat/completions and ${url}/chat/completions. The server responded: 404 page not found`,
      status: 404,
      retry_after_ms: null,
      context_tokens: null,
    },
  })
})

test('an address that redirects reports the target', async () => {
  const { url } = await apiAt('/nowhere', (response) =>
    response.writeHead(301, { location: 'https://other.example.org/v1/chat?key=1' }).end(),
  )
  model = openModel({ base_url: `${url}/v1`, key: async () => null }, systemClock)
  expect(await ask(model)).toMatchObject({
    ok: false,
    failure: { code: 'wrong_address', message: 'The model server responded with 301 and redirects to https://other.example.org/v1/chat.' },
  })
})

test.each(['', 'ftp://host/v1', 'http://[::1', 'http://host:99999', 'two words'])('explains an invalid address: "%s"', async (base_url) => {
  model = openModel({ base_url, key: async () => null }, systemClock)
  expect(await ask(model)).toMatchObject({
    ok: false,
    failure: { code: 'wrong_address', message: expect.stringContaining('The address of the model') },
  })
  expect(await model.contextWindow('gpt-4', null)).toMatchObject({ tokens: 8_192 })
})
