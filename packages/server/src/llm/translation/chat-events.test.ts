import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chatEvents } from './chat-events.ts'
import { chatReply, finishReason } from './chat-reply.ts'

const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
const usage = { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }
const content = [
  { type: 'thinking', thinking: 'Hm, 世界 👋🏽', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'AAAA' },
  { type: 'text', text: 'Grüße 👋🏽!' },
  { type: 'tool_use', id: 'toolu_a', name: 'fs__read', input: { path: 'grüße.txt' } },
  { type: 'tool_use', id: 'toolu_b', name: 'todo__list', input: {} },
]
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test',
  content,
  stop_reason: 'tool_use',
  stop_sequence: null,
}

/** As the API streams it: a call without arguments has one empty piece. */
const stream = [
  event('message_start', { message: { ...message, content: [], stop_reason: null, usage } }),
  event('ping', {}),
  event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm, ' } }),
  event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: '世界 👋🏽' } }),
  event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } }),
  event('content_block_stop', { index: 0 }),
  event('content_block_start', { index: 1, content_block: content[1] }),
  event('content_block_stop', { index: 1 }),
  event('content_block_start', { index: 2, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 2, delta: { type: 'text_delta', text: 'Grüße ' } }),
  event('content_block_delta', { index: 2, delta: { type: 'text_delta', text: '👋🏽!' } }),
  event('content_block_stop', { index: 2 }),
  event('content_block_start', { index: 3, content_block: { type: 'tool_use', id: 'toolu_a', name: 'fs__read', input: {} } }),
  event('content_block_delta', { index: 3, delta: { type: 'input_json_delta', partial_json: '' } }),
  event('content_block_delta', { index: 3, delta: { type: 'input_json_delta', partial_json: '{"path":"gr' } }),
  event('content_block_delta', { index: 3, delta: { type: 'input_json_delta', partial_json: 'üße.txt"}' } }),
  event('content_block_stop', { index: 3 }),
  event('content_block_start', { index: 4, content_block: { type: 'tool_use', id: 'toolu_b', name: 'todo__list', input: {} } }),
  event('content_block_delta', { index: 4, delta: { type: 'input_json_delta', partial_json: '' } }),
  event('content_block_stop', { index: 4 }),
  event('a_new_event', { index: 9 }),
  event('message_delta', {
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 42 },
  }),
  event('message_stop', {}),
].join('')

interface Chunk {
  readonly choices: readonly { readonly delta: Record<string, unknown>; readonly finish_reason: string | null }[]
  readonly usage?: object
}

function read(text: string) {
  const data = text.split('\n\n').flatMap((one) => (one.startsWith('data: ') ? [one.slice(6)] : []))
  const chunks = data.slice(0, -1).map((one) => JSON.parse(one) as Chunk)
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))
  const joined = (key: string) => deltas.map((delta) => delta[key] ?? '').join('')
  const pieces = deltas.flatMap(
    ({ tool_calls }) => (tool_calls ?? []) as { index: number; id?: string; function: Record<string, string> }[],
  )
  const calls = [0, 1].map((index) => {
    const own = pieces.filter((piece) => piece.index === index)
    return { id: own[0]?.id, name: own[0]?.function.name, arguments: own.map((piece) => piece.function.arguments).join('') }
  })
  return {
    last: data.at(-1),
    text: joined('content'),
    thinking: joined('reasoning_content'),
    thoughts: deltas.flatMap(({ thinking_blocks }) => (thinking_blocks as object[] | undefined) ?? []),
    calls,
    finish: chunks.flatMap(({ choices }) => choices.flatMap(({ finish_reason }) => (finish_reason === null ? [] : [finish_reason]))),
    usage: chunks.flatMap((chunk) => (chunk.usage ? [chunk.usage] : [])),
  }
}

const expected = {
  last: '[DONE]',
  text: 'Grüße 👋🏽!',
  thinking: 'Hm, 世界 👋🏽',
  thoughts: [
    { index: 0, type: 'thinking', thinking: '', signature: '' },
    { index: 0, thinking: 'Hm, ' },
    { index: 0, thinking: '世界 👋🏽' },
    { index: 0, signature: 'c2ln' },
    { index: 1, type: 'redacted_thinking', data: 'AAAA' },
  ],
  calls: [
    { id: 'toolu_a', name: 'fs__read', arguments: '{"path":"grüße.txt"}' },
    { id: 'toolu_b', name: 'todo__list', arguments: '{}' },
  ],
  finish: ['tool_calls'],
  usage: [{ prompt_tokens: 125, completion_tokens: 42, total_tokens: 167, prompt_tokens_details: { cached_tokens: 100 } }],
}

test('split anywhere, with any line ends, a stream has the same meaning', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), fc.constantFrom('\n', '\r\n', '\r'), (sizes, lineEnd) => {
      const bytes = Buffer.from(stream.replaceAll('\n', lineEnd))
      const events = chatEvents(1_790_000_000)
      let out = ''
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1
        out += events.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(read(out + events.end())).toEqual(expected)
    }),
  )
})

test('a whole message has the same content as its stream', () => {
  expect(chatReply({ ...message, usage: { ...usage, output_tokens: 42 } }, 1_790_000_000)).toEqual({
    ...{ id: 'msg_1', object: 'chat.completion', created: 1_790_000_000, model: 'claude-test' },
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: expected.text,
          refusal: null,
          reasoning_content: expected.thinking,
          thinking_blocks: [
            { index: 0, ...content[0] },
            { index: 1, ...content[1] },
          ],
          tool_calls: expected.calls.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: expected.usage[0],
  })
})

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
  ['a_new_reason', 'stop'],
  [null, 'stop'],
])('%s → %s', (stop_reason, finish) => {
  expect(finishReason(stop_reason)).toBe(finish)
})

test('a stream that breaks off announces no end; an error in it is one', () => {
  const half = chatEvents(0)
  const text = half.push(Buffer.from(stream.slice(0, stream.indexOf('event: message_delta')))) + half.end()
  expect([text.includes('[DONE]'), /"finish_reason":"/.test(text)]).toEqual([false, false])
  const error = chatEvents(0).push(Buffer.from(event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })))
  expect(JSON.parse(error.slice(6))).toEqual({
    error: { message: 'Overloaded', type: 'overloaded_error', param: null, code: 'overloaded_error' },
  })
})
