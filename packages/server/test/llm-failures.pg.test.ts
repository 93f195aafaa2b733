// A provider fails in every possible way: the caller gets an error in its dialect, no key leaks, and the ledger has the usage.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { canaries, type Gateway, type GatewayUser, type LedgerRow, startGateway } from './support/gateway.ts'
import type { Behaviour } from './support/upstream.ts'
import { greeting } from './support/upstream-format.ts'

const prompt = 'PROMPT-CANARY-5521'
const replies: string[] = []
let gateway: Gateway
let user: GatewayUser
/** Calls of `user` so far. */
let calls = 0
let cases = 0

beforeAll(async () => {
  const deadlines = { first_byte_ms: 2_000, whole_ms: 2_000, idle_ms: 2_000, connect_ms: 2_000 }
  gateway = await startGateway({
    options: { deadlines, reply_bytes_max: 200_000 },
    file: { fallbacks: { 'openai/falls': ['backup/catches'] } },
  })
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => {
  gateway.upstream.forget()
  gateway.backup.forget()
})

const apis = [
  { path: '/chat/completions', provider: 'openai', operation: 'chat_completions' },
  { path: '/responses', provider: 'openai', operation: 'responses' },
  { path: '/messages', provider: 'anthropic', operation: 'messages' },
] as const
type Api = (typeof apis)[number]
const ways = apis.flatMap((api) =>
  [false, true].map((stream) => ({ ...api, stream, name: `${api.operation}${stream ? ', streamed' : ''}` })),
)

interface Told {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly model: string
}

/** One call to its own model, by a new user by default, so that no breaker and no ledger has earlier state. */
async function ask({ path, provider, stream }: Api & { stream: boolean }, more: object = {}, caller?: GatewayUser): Promise<Told> {
  cases += 1
  calls = caller && caller === user ? calls + 1 : 1
  user = caller ?? (await gateway.user())
  const model = `${provider}/case-${cases}`
  const messages = [{ role: 'user', content: prompt }]
  const body = path === '/responses' ? { model, input: prompt, stream } : { model, messages, stream, max_tokens: 50 }
  const reply = await gateway.post(path, user, { ...body, ...more })
  const text = await reply.text().catch((error: unknown) => `broken off: ${error instanceof Error ? error.message : ''}`)
  replies.push(text, JSON.stringify([...reply.headers]))
  return { status: reply.status, text, headers: reply.headers, model }
}

/** The body of an error, in any dialect. */
function errorIn({ operation }: Api, text: string): object {
  const body = JSON.parse(text)
  if (operation !== 'messages') return { ...body.error, message: typeof body.error.message }
  return { ...body.error, message: typeof body.error.message, request_id: typeof body.request_id, envelope: body.type }
}

function expected({ operation }: Api, type: { openai: string; anthropic: string }, code: string | null): object {
  if (operation !== 'messages') return { type: type.openai, code, param: null, message: 'string' }
  return { type: type.anthropic, message: 'string', request_id: 'string', envelope: 'error' }
}

async function row(): Promise<LedgerRow | undefined> {
  return (await gateway.ledger(user, calls)).at(-1)
}

const nothing = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false, aborted: false }
const server = { openai: 'server_error', anthropic: 'api_error' }
const three = (behaviour: Behaviour) => [behaviour, behaviour, behaviour]

describe.each(ways)('$name', (way) => {
  const before: [string, Behaviour[], { status: number; code: string; type: typeof server; attempts: number }][] = [
    [
      '500 again and again',
      three({ status: 500, body: { error: { message: 'oops' } } }),
      { status: 502, code: 'upstream_failed', type: server, attempts: 3 },
    ],
    ['529', three({ status: 529, body: 'overloaded' }), { status: 502, code: 'upstream_failed', type: server, attempts: 3 }],
    ['a reset', Array(9).fill({ silent: true, end: 'reset' }), { status: 502, code: 'upstream_failed', type: server, attempts: 3 }],
    [
      'a hang',
      [{ silent: true, end: 'hang' }],
      { status: 504, code: 'upstream_timeout', type: { ...server, anthropic: 'timeout_error' }, attempts: 1 },
    ],
    [
      'a page instead of an answer',
      [{ body: '<html>', headers: { 'content-type': 'text/html' } }],
      { status: 502, code: 'upstream_failed', type: server, attempts: 1 },
    ],
    [
      'a refused key',
      [{ status: 401, body: { error: { message: `wrong key ${canaries[0]}` } } }],
      { status: 502, code: 'upstream_refused', type: server, attempts: 1 },
    ],
  ]
  test.each(before)('%s', async (name, behaviours, { status, code, type, attempts }) => {
    gateway.upstream.next(...behaviours)
    const told = await ask(way)
    expect([told.status, errorIn(way, told.text)]).toEqual([status, expected(way, type, code)])
    // A connection that is reset immediately may have been closed before: the request is silently sent again on another.
    if (name !== 'a reset') expect(gateway.upstream.requests).toHaveLength(attempts)
    expect(told.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await row()).toEqual({ operation: way.operation, model: told.model, status, ...nothing, attempts })
  })

  test('429 with a short wait is retried; with a long one it is reported without the account that it names', async () => {
    const busy = { error: { message: 'slow down, org-abc12345', type: 'rate_limit_error', param: null, code: null } }
    const body = way.operation === 'messages' ? { type: 'error', ...busy, request_id: 'r' } : busy
    gateway.upstream.next({ status: 429, body, headers: { 'retry-after': '0' } })
    expect((await ask(way)).status).toBe(200)
    expect(await row()).toMatchObject({ status: 200, attempts: 2 })

    gateway.upstream.next({ status: 429, body, headers: { 'retry-after': '30' } })
    const told = await ask(way)
    const type = { openai: 'rate_limit_error', anthropic: 'rate_limit_error' }
    expect([told.status, told.headers.get('retry-after'), errorIn(way, told.text)]).toEqual([
      ...[429, '30'],
      expected(way, type, 'upstream_rate_limited'),
    ])
    expect(told.text).not.toContain('org-')
    expect(await row()).toMatchObject({ status: 429, attempts: 1, ...nothing })
  })

  test('waits for a slow first byte', async () => {
    gateway.upstream.next({ delay_ms: 200 })
    expect((await ask(way)).status).toBe(200)
    expect(await row()).toMatchObject({
      status: 200,
      input_tokens: 21,
      cached_input_tokens: 8,
      output_tokens: 13,
      estimated: false,
      attempts: 1,
    })
  })

  test('a refusal that contains the key is reported with our own text', async () => {
    const key = canaries[way.operation === 'messages' ? 1 : 0]
    gateway.upstream.next({ status: 400, body: { type: 'error', error: { message: `not with ${key}`, type: 'invalid_request_error' } } })
    const told = await ask(way)
    expect(told.status).toBeGreaterThanOrEqual(400)
    expect(told.text).not.toContain(key)
  })

  test('usage that is not reported is estimated', async () => {
    gateway.upstream.next({ answer: { usage: null } })
    expect((await ask(way)).status).toBe(200)
    const { input_tokens = 0, output_tokens = 0, ...rest } = (await row()) ?? {}
    expect(rest).toMatchObject({ status: 200, cached_input_tokens: 0, estimated: true, aborted: false })
    expect([input_tokens > 0, output_tokens > 0]).toEqual([true, true])
  })
})

describe.each(ways.filter(({ stream }) => stream))('after the first byte, $name', (way) => {
  const breaks: [string, Behaviour, number][] = [
    ['cut', { writes: 4, end: 'cut' }, 502],
    ['reset', { writes: 4, end: 'reset' }, 502],
    ['ended too soon', { writes: 4 }, 502],
    ['cut inside an event', { bytes_a_write: 100, writes: 9, end: 'cut' }, 502],
    ['ended inside an event', { bytes_a_write: 100, writes: 9 }, 502],
    ['silent inside an event', { bytes_a_write: 100, writes: 9, end: 'hang' }, 504],
    ['silent', { writes: 4, end: 'hang' }, 504],
    ['garbage', { pieces: ['data: {"half":', 'garbage\u0000\n\n', '\n\n\n:::\n'] }, 502],
    ['too much', { pieces: Array(10).fill(`: ${'x'.repeat(40_000)}\n\n`) }, 502],
  ]
  test.each(breaks)('%s', async (_name, behaviour, status) => {
    gateway.upstream.next(behaviour)
    const told = await ask(way)
    expect([told.status, told.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(told.text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    const last = told.text.trimEnd().split('\n')
    if (way.operation !== 'chat_completions') expect(last.at(-2)).toBe('event: error')
    expect(last.at(-1)).toMatch(/^data: /)
    const data = JSON.parse((last.at(-1) ?? '').slice('data: '.length))
    const type = way.operation === 'messages' ? (status === 504 ? 'timeout_error' : 'api_error') : 'server_error'
    expect(data.error).toMatchObject({ type, message: expect.any(String) })
    expect(await row()).toMatchObject({ status, aborted: false, attempts: 1, model: told.model })
    expect(gateway.upstream.requests).toHaveLength(1)
  })
})

test('half a document is never returned as a whole one', async () => {
  gateway.upstream.next({ pieces: ['{"id":"chatcmpl-1","choi'], end: 'cut' })
  const told = await ask({ ...apis[0], stream: false })
  expect(told.text).toMatch(/^broken off/)
  expect(await row()).toMatchObject({ status: 502, aborted: false })
})

test('another model answers if the first does not, requested or configured', async () => {
  gateway.upstream.always({ status: 500 })
  const told = await ask({ ...apis[0], stream: false }, { models: ['nobody/x', 'backup/other'] })
  expect([told.status, JSON.parse(told.text).choices[0].message.content]).toEqual([200, greeting])
  expect(await row()).toMatchObject({ model: 'backup/other', status: 200, attempts: 7 })
  const sent = JSON.parse(String(gateway.backup.requests[0]?.body))
  expect([sent.model, 'models' in sent]).toEqual(['other', false])
  expect(gateway.backup.requests[0]?.headers.authorization).toBe(`Bearer ${canaries[2]}`)

  expect(await ask({ ...apis[0], stream: true }, { model: 'openai/falls' })).toMatchObject({ status: 200 })
  expect(await row()).toMatchObject({ model: 'backup/catches', status: 200, attempts: 4 })
})

test('the breaker of an account opens after consecutive failures, allows one call after a pause, and closes', async () => {
  const model = { model: 'openai/breaks' }
  const chat = { ...apis[0], stream: false }
  const caller = await gateway.user()
  const askAgain = () => ask(chat, model, caller)
  gateway.upstream.always({ status: 503 })
  expect([(await askAgain()).status, (await askAgain()).status]).toEqual([502, 502])
  expect(gateway.upstream.requests).toHaveLength(5)

  const resting = await askAgain()
  expect([resting.status, Number(resting.headers.get('retry-after')) > 0]).toEqual([502, true])
  expect(await row()).toMatchObject({ status: 502, attempts: 0, ...nothing })
  expect((await ask(chat, { model: 'openai/other', models: ['backup/other'] })).status).toBe(200)
  const before = gateway.upstream.requests.length

  gateway.passTime(5_001)
  expect((await askAgain()).status).toBe(502)
  expect(gateway.upstream.requests).toHaveLength(before + 1)

  gateway.passTime(10_001)
  gateway.upstream.always({})
  expect([(await askAgain()).status, (await askAgain()).status]).toEqual([200, 200])
})

test('the breaker of everyone opens after failures of three accounts', async () => {
  const model = { model: 'openai/breaks-for-all' }
  const chat = { ...apis[0], stream: false }
  gateway.upstream.always({ status: 503 })
  const tried: number[] = []
  for (let account = 0; account < 4; account += 1) {
    const before = gateway.upstream.requests.length
    expect((await ask(chat, model)).status).toBe(502)
    tried.push(gateway.upstream.requests.length - before)
  }
  // The third account has seen one failure when it opens.
  expect(tried).toEqual([3, 3, 1, 0])
})

test('a provider that accepts the connection and never answers in TLS times out', async () => {
  const mute = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const address = mute.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const connections: number[] = []
  mute.on('connection', () => connections.push(performance.now()))
  // Only the deadline of the connection can end it: the others are longer than the test.
  const deadlines = { connect_ms: 200, first_byte_ms: 120_000, whole_ms: 120_000 }
  const file = { providers: [{ name: 'mute', base_url: `https://127.0.0.1:${address.port}/v1` }] }
  const other = await startGateway({ file, options: { deadlines } })
  try {
    const caller = await other.user()
    for (const stream of [false, true]) {
      const reply = await other.post('/chat/completions', caller, { model: `mute/any-${stream}`, messages: [], stream })
      expect([reply.status, Object(await reply.json()).error.code]).toEqual([502, 'upstream_failed'])
      const tried = stream ? 2 : 3
      expect((await other.ledger(caller, stream ? 2 : 1)).at(-1)).toMatchObject({
        ...{ status: 502, attempts: tried, aborted: false, input_tokens: 0 },
      })
    }
    // Three, then two until the breaker of the provider opens.
    expect(connections).toHaveLength(5)
  } finally {
    await other[Symbol.asyncDispose]()
    mute.close()
  }
})

test('a provider that is down is tried five times in total, not five times per model; others are not affected', async () => {
  const chat = { ...apis[0], stream: false }
  const caller = await gateway.user()
  const dead = (model: string, more: object = {}) => ask(chat, { model: `gone/${model}`, ...more }, caller)
  expect([(await dead('one')).status, (await row())?.attempts]).toEqual([502, 3])
  expect([(await dead('two')).status, (await row())?.attempts]).toEqual([502, 2])
  const resting = await dead('three')
  expect([resting.status, Number(resting.headers.get('retry-after')) > 0, JSON.parse(resting.text).error.message]).toEqual([
    ...[502, true],
    expect.stringContaining('gone has failed several times in a row'),
  ])
  expect(await row()).toMatchObject({ model: 'gone/three', status: 502, attempts: 0 })
  expect((await dead('four', { models: ['backup/other'] })).status).toBe(200)
  expect(await row()).toMatchObject({ model: 'backup/other', attempts: 1 })
})

test('no key, token or prompt was logged or returned', async () => {
  const logged = gateway.log.join('')
  expect(logged).toContain('a model call failed')
  expect(replies.length).toBeGreaterThan(100)
  for (const secret of [...canaries, user.token, prompt]) {
    expect(logged.includes(secret)).toBe(false)
    expect(replies.filter((text) => text.includes(secret))).toEqual([])
  }
})
