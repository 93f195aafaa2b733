import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { systemClock } from '../clock/clock.ts'
import { type Model, openModel } from './model.ts'

let server: TestModel
let model: Model
afterEach(async () => {
  model.close()
  await server.close()
})

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

async function say(...script: ScriptedTurn[]) {
  server = await startTestModel(script)
  model = openModel({ base_url: server.base_url, key: async () => 'secret' }, systemClock)
  const pieces: string[] = []
  const outcome = await model.turn({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    temperature: null,
    signal: new AbortController().signal,
    onText: ({ text }) => pieces.push(text),
  })
  return { outcome, pieces }
}

test('combines text from pieces, and several calls from fragments', async () => {
  const { outcome, pieces } = await say({
    text: 'A sentence that is longer than one piece.',
    thinking: 'Hm.',
    calls: [
      { name: 'a.b', arguments: { x: 1 } },
      { name: 'c.d', arguments: { y: 2 } },
    ],
  })
  expect(outcome).toEqual({
    ok: true,
    left_out: [],
    turn: {
      text: 'A sentence that is longer than one piece.',
      thinking: 'Hm.',
      refusal: '',
      calls: [
        { wire_id: 'call_0', name: 'a__b', arguments: '{"x":1}' },
        { wire_id: 'call_1', name: 'c__d', arguments: '{"y":2}' },
      ],
      finish_reason: 'tool_calls',
      usage: { input_tokens: 10, output_tokens: 5, cached_tokens: 0, estimated: false },
      provider_fields: { reasoning_content: 'Hm.' },
    },
  })
  expect(pieces.join('')).toBe('A sentence that is longer than one piece.')
})

test('characters split between two packets arrive complete; comments and unknown fields are ignored', async () => {
  const event = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Grüße 🌍', novelty: 1 }, finish_reason: 'stop' }] })}\n\n`
  server = await startTestModel([])
  await server.close()
  const bytes = Buffer.from(`: keep-alive\n\n${event}data: [DONE]\n\n`)
  const raw = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n')
      let at = 0
      const next = () => {
        if (at >= bytes.length) return void socket.end()
        socket.write(bytes.subarray(at, at + 3))
        at += 3
        setImmediate(next)
      }
      next()
    })
  })
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  model = openModel({ base_url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}`, key: async () => null }, systemClock)
  const signal = new AbortController().signal
  const outcome = await model.turn({ model: 'm', messages: [], tools: [], temperature: null, signal, onText: () => undefined })
  expect(outcome).toMatchObject({ ok: true, turn: { text: 'Grüße 🌍', usage: null } })
  raw.close()
})

test.each<[string, ScriptedTurn, object]>([
  ['401', { status: 401 }, { code: 'unauthorized', status: 401 }],
  ['429 with a time', { status: 429, headers: { 'retry-after': '3' } }, { code: 'rate_limited', retry_after_ms: 3_000 }],
  ['500', { status: 500, body: '<html>oops</html>' }, { code: 'server_error', message: '<html>oops</html>' }],
  ['404 of a model', { status: 404, body: '{"error":{"message":"model \'m\' not found"}}' }, { code: 'unknown_model', status: 404 }],
  ['404 of an address', { status: 404 }, { code: 'wrong_address', status: 404 }],
  [
    'an overflow by code',
    { status: 400, body: '{"error":{"code":"context_length_exceeded","message":"x"}}' },
    { code: 'context_overflow' },
  ],
  [
    'an overflow by message',
    { status: 400, body: '{"error":{"message":"This model has a maximum context length"}}' },
    { code: 'context_overflow' },
  ],
  ['another 400', { status: 400, body: '{"error":{"message":"no such field"}}' }, { code: 'rejected', message: 'no such field' }],
  [
    'an error in the stream',
    { raw: ['data: {"error":{"message":"upstream died"}}\n\n'] },
    { code: 'broken_stream', message: 'upstream died' },
  ],
  ['invalid data in the stream', { raw: ['data: {not json\n\n'] }, { code: 'broken_stream' }],
  ['half a stream', { text: 'A sentence that is longer than one piece.', breakAfter: 2 }, { code: 'broken_stream' }],
  [
    'a stream that ends early',
    { raw: ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'] },
    { code: 'broken_stream', message: 'the response was interrupted' },
  ],
])('%s', async (_name, turn, failure) => {
  expect((await say(turn)).outcome).toMatchObject({ ok: false, failure })
})

test('an address where nothing listens is unreachable; the message does not contain the key', async () => {
  server = await startTestModel([])
  const { base_url } = server
  await server.close()
  model = openModel({ base_url, key: async () => 'secret' }, systemClock)
  const signal = new AbortController().signal
  const outcome = await model.turn({ model: 'm', messages: [], tools: [], temperature: null, signal, onText: () => undefined })
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  expect(JSON.stringify(outcome)).not.toContain('secret')
})

test('a model that is silent for too long times out', async () => {
  const clock = testClock()
  server = await startTestModel([{ raw: [delta('late'), delta('never')], hold: new Promise(() => undefined) }])
  model = openModel({ base_url: server.base_url, key: async () => null }, clock)
  let begun = false
  const turn = model.turn({
    model: 'm',
    messages: [],
    tools: [],
    temperature: null,
    signal: new AbortController().signal,
    onText: () => (begun = true),
  })
  await expect.poll(() => begun).toBe(true)
  clock.advance(5 * 60_000)
  expect(await turn).toMatchObject({ ok: false, failure: { code: 'timeout' } })
})

test('a caller that aborts gets its own reason', async () => {
  server = await startTestModel([{ text: 'never', hold: new Promise(() => undefined) }])
  model = openModel({ base_url: server.base_url, key: async () => null }, systemClock)
  const stop = new AbortController()
  const reason = new Error('enough')
  const turn = model.turn({ model: 'm', messages: [], tools: [], temperature: null, signal: stop.signal, onText: () => stop.abort(reason) })
  await expect(turn).rejects.toBe(reason)
})
