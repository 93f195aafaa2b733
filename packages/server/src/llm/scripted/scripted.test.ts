import { expect, test } from 'vitest'
import type { Operation } from '../../operation.ts'
import { wholeText } from '../flow.ts'
import { ConnectError } from '../upstream.ts'
import { scriptedUpstream } from './scripted.ts'
import type { Script } from './turn.ts'

const quick = { now: () => 1_790_000_000_000, sleep: async () => undefined }

async function ask(operation: Operation, body: object, script?: Script, signal = new AbortController().signal) {
  const upstream = scriptedUpstream({ ...quick, ...(script ? { script } : {}) })
  const request = { operation, model: 'scripted', headers: {}, body: Buffer.from(JSON.stringify(body)), signal }
  const { status, headers, body: reply } = await upstream.send(request)
  return { status, headers, text: await wholeText(reply, 1_000_000) }
}

const dataOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))

const script: Script = [
  {
    steps: [
      { kind: 'thinking', text: 'let me see' },
      { kind: 'text', text: 'Two calls:' },
      { kind: 'call', name: 'fs__read', arguments: ['{"pa', 'th":"ä', '.txt"}'], id: 'call_1' },
      { kind: 'call', name: 'fs__list', arguments: '{}', id: 'call_2' },
    ],
    usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 20 },
  },
]
const hello = { messages: [{ role: 'user', content: 'Hello' }] }

test('chat completions, not streamed', async () => {
  const { status, text } = await ask('chat_completions', hello, script)
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Two calls:',
            refusal: null,
            reasoning_content: 'let me see',
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'fs__read', arguments: '{"path":"ä.txt"}' } },
              { id: 'call_2', type: 'function', function: { name: 'fs__list', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, prompt_tokens_details: { cached_tokens: 4 } },
    },
  ])
})

test('chat completions, streamed', async () => {
  const { headers, text } = await ask('chat_completions', { ...hello, stream: true, stream_options: { include_usage: true } }, script)
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
  const chunks = dataOf(text) as { choices: { delta: object; finish_reason: string | null }[]; usage?: object }[]
  expect(chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta))).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'let' },
    { reasoning_content: ' me' },
    { reasoning_content: ' see' },
    { content: 'Two' },
    { content: ' calls:' },
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'fs__read', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"pa' } }] },
    { tool_calls: [{ index: 0, function: { arguments: 'th":"ä' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '.txt"}' } }] },
    { tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'fs__list', arguments: '' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    {},
  ])
  expect(chunks.at(-1)?.usage).toEqual({
    prompt_tokens: 10,
    completion_tokens: 20,
    total_tokens: 30,
    prompt_tokens_details: { cached_tokens: 4 },
  })
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('messages, streamed and not', async () => {
  const { text } = await ask('messages', { ...hello, max_tokens: 100 }, script)
  expect(JSON.parse(text)).toMatchObject({
    type: 'message',
    content: [
      { type: 'thinking', thinking: 'let me see', signature: 'scripted' },
      { type: 'text', text: 'Two calls:' },
      { type: 'tool_use', id: 'call_1', name: 'fs__read', input: { path: 'ä.txt' } },
      { type: 'tool_use', id: 'call_2', name: 'fs__list', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 20 },
  })
  const streamed = await ask('messages', { ...hello, max_tokens: 100, stream: true }, script)
  const types = (dataOf(streamed.text) as { type: string; index?: number }[]).map(({ type, index }) => `${type} ${index ?? ''}`.trim())
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'message_start',
    ...[0, 1, 2, 3].flatMap((index) => [`content_block_start ${index}`, `content_block_delta ${index}`, `content_block_stop ${index}`]),
    'message_delta',
    'message_stop',
  ])
})

test('responses, streamed and not', async () => {
  const { text } = await ask('responses', { input: 'Hello' }, script)
  const whole = JSON.parse(text)
  expect(whole).toMatchObject({
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'let me see' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Two calls:' }] },
      { type: 'function_call', call_id: 'call_1', name: 'fs__read', arguments: '{"path":"ä.txt"}' },
      { type: 'function_call', call_id: 'call_2', name: 'fs__list', arguments: '{}' },
    ],
    usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 20, total_tokens: 30 },
  })
  const streamed = dataOf((await ask('responses', { input: 'Hello', stream: true }, script)).text) as {
    sequence_number: number
    type: string
  }[]
  expect(streamed.map((event) => event.sequence_number)).toEqual(streamed.map((_, index) => index))
  expect(streamed[0]).toMatchObject({ type: 'response.created', response: { status: 'in_progress', output: [] } })
  expect(streamed.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: whole.output.map(({ id: _, ...item }: { id: string }) => item), usage: whole.usage },
  })
})

test('the same request has the same response', async () => {
  expect(await ask('messages', { ...hello, max_tokens: 100 })).toEqual(await ask('messages', { ...hello, max_tokens: 100 }))
})

test('it stops at the maximum number of tokens, and reports it', async () => {
  const { text } = await ask('chat_completions', { ...hello, max_tokens: 6 })
  expect(JSON.parse(text).choices[0]).toMatchObject({ message: { content: 'I am a scripted' }, finish_reason: 'length' })
})

test('tokens are counted', async () => {
  expect(JSON.parse((await ask('count_tokens', hello)).text)).toEqual({ input_tokens: Math.ceil(JSON.stringify(hello).length / 4) })
})

test('errors use the dialect', async () => {
  const busy: Script = [{ error: { status: 429, message: 'slow down', retry_after_seconds: 3 } }]
  expect(await ask('chat_completions', hello, busy)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '3' },
    text: '{"error":{"message":"slow down","type":"rate_limit_error","param":null,"code":null}}',
  })
  expect(await ask('messages', {})).toMatchObject({
    status: 400,
    text: '{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"}}',
  })
  expect(await ask('chat_completions', hello, [])).toMatchObject({ status: 500 })
  expect(await ask('embeddings', { input: 'x' })).toMatchObject({ status: 404 })
})

test('a cut breaks the stream in the middle, a hang lasts until the caller disconnects', async () => {
  const half: Script = [{ steps: [{ kind: 'text', text: 'half a' }, { kind: 'cut' }] }]
  await expect(ask('chat_completions', { ...hello, stream: true }, half)).rejects.toThrow(ConnectError)
  const leaving = new AbortController()
  const hanging = ask('messages', { ...hello, stream: true }, [{ steps: [{ kind: 'hang' }] }], leaving.signal)
  setImmediate(() => leaving.abort(new Error('gone')))
  await expect(hanging).rejects.toThrow('gone')
})

test('usage can be omitted', async () => {
  const silent: Script = [{ steps: [{ kind: 'text', text: 'x' }], usage: 'none', finish_reason: 'length' }]
  expect((await ask('chat_completions', { ...hello, stream: true, stream_options: { include_usage: true } }, silent)).text).not.toContain(
    'usage',
  )
  expect(JSON.parse((await ask('chat_completions', hello, silent)).text)).not.toHaveProperty('usage')
})
