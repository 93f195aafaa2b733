import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicFaults } from '../../../test/support/anthropic-rules.ts'
import { messagesRequest } from './messages-request.ts'

function translate(chat: object) {
  const result = messagesRequest(Buffer.from(JSON.stringify({ model: 'claude-test', ...chat })), 8_192)
  if (!result.ok) return { param: result.param, message: result.message }
  return JSON.parse(String(result.body))
}

const user = (content: unknown) => ({ role: 'user', content })
const text = (said: string) => ({ type: 'text', text: said })
const call = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } })
const tool = (name: string, parameters: object = { type: 'object', properties: {} }) => ({
  type: 'function',
  function: { name, parameters },
})
const hello = { messages: [user('Hello')] }
const usual = { model: 'claude-test', max_tokens: 8_192 }

test('a run: parallel calls, results in the order of the calls, thoughts at their place, and marks for the cache', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    user('Look'),
    {
      role: 'assistant',
      content: 'Now:',
      reasoning_content: 'I should look.',
      thinking_blocks: [
        { index: 0, type: 'thinking', thinking: 'I should look.', signature: 'c2ln' },
        { index: 2, type: 'redacted_thinking', data: 'AAAA' },
      ],
      tool_calls: [call('toolu_a', 'fs__read', '{"path":"a"}'), call('toolu_b', 'fs__list', '')],
    },
    { role: 'tool', tool_call_id: 'toolu_a', content: 'text of a' },
    { role: 'tool', tool_call_id: 'toolu_b', content: '' },
    user('And now?'),
  ]
  const sent = translate({ messages, tools: [tool('fs__read'), tool('fs__list')], stream: true, stream_options: { include_usage: true } })
  expect(sent).toEqual({
    ...usual,
    stream: true,
    system: [{ ...text('Be brief.'), cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [text('Look')] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I should look.', signature: 'c2ln' },
          text('Now:'),
          { type: 'redacted_thinking', data: 'AAAA' },
          { type: 'tool_use', id: 'toolu_a', name: 'fs__read', input: { path: 'a' } },
          { type: 'tool_use', id: 'toolu_b', name: 'fs__list', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: [text('text of a')] },
          { type: 'tool_result', tool_use_id: 'toolu_b' },
          { ...text('And now?'), cache_control: { type: 'ephemeral' } },
        ],
      },
    ],
    tools: ['fs__read', 'fs__list'].map((name) => ({ name, input_schema: { type: 'object', properties: {} } })),
    tool_choice: { type: 'auto' },
  })
  expect(anthropicFaults(JSON.stringify(sent))).toEqual([])
})

describe('options', () => {
  const tools = [tool('a')]
  test.each<[string, object, object]>([
    ['the limit of the caller', { max_tokens: 5 }, { max_tokens: 5 }],
    ['its newer name', { max_completion_tokens: 6, max_tokens: 5 }, { max_tokens: 6 }],
    ['a limit that is none', { max_tokens: 0 }, { max_tokens: 8_192 }],
    ['where to stop', { stop: ['END', ' '] }, { stop_sequences: ['END'] }],
    ['one place to stop', { stop: 'END' }, { stop_sequences: ['END'] }],
    ['thinking', { thinking: { type: 'adaptive' } }, { thinking: { type: 'adaptive' } }],
    ['any tool', { tools, tool_choice: 'required' }, { tool_choice: { type: 'any' } }],
    ['no tool', { tools, tool_choice: 'none' }, { tool_choice: { type: 'none' } }],
    ['one tool', { tools, tool_choice: { type: 'function', function: { name: 'a' } } }, { tool_choice: { type: 'tool', name: 'a' } }],
    ['one at a time', { tools, parallel_tool_calls: false }, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    [
      'a schema of the answer',
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } },
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    ['sampling, which current models refuse', { temperature: 0, top_p: 0.5, seed: 1, logprobs: true }, usual],
  ])('%s', (_name, asked, expected) => {
    const sent = translate({ ...hello, ...asked })
    expect(sent).toMatchObject(expected)
    expect([sent.temperature, sent.top_p, anthropicFaults(JSON.stringify(sent))]).toEqual([undefined, undefined, []])
  })
})

test('content: images, files, empty texts, later instructions', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo='
  const content = [
    text('What is this?'),
    text('  '),
    { type: 'image_url', image_url: { url: png } },
    { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
    { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } },
  ]
  const sent = translate({ messages: [user(content), { role: 'system', content: 'Be kind.' }, { role: 'assistant', content: null }] })
  expect(sent.messages).toEqual([
    {
      role: 'user',
      content: [
        text('What is this?'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
        text('Be kind.'),
      ],
    },
  ])
})

test('calls of another provider: ids that are not allowed or repeated, malformed arguments, tools that are no longer offered', () => {
  const turn = (args: string) => [
    { role: 'assistant', content: '', tool_calls: [call('functions.read:0', 'read', args), call('functions.read.0', 'read', '{}')] },
    { role: 'tool', tool_call_id: 'functions.read.0', content: 'two' },
    { role: 'tool', tool_call_id: 'functions.read:0', content: 'one' },
  ]
  const sent = translate({ messages: [user('Go'), ...turn('{"path": "gr'), ...turn('[1]')] })
  expect(anthropicFaults(JSON.stringify(sent))).toEqual([])
  expect([sent.tools, sent.tool_choice]).toEqual([[{ name: 'read', input_schema: { type: 'object' } }], { type: 'none' }])
  expect(sent.messages[1].content).toMatchObject([
    { id: 'functions_read_0', input: { malformed_arguments: '{"path": "gr' } },
    { id: 'functions_read_0_', input: {} },
  ])
  expect(sent.messages[2].content).toMatchObject([
    { tool_use_id: 'functions_read_0_', content: [text('two')] },
    { tool_use_id: 'functions_read_0', content: [text('one')] },
  ])
})

test('the top of a schema has no alternatives, and every tool has one', () => {
  const { tools } = translate({
    ...hello,
    tools: [tool('a', { anyOf: [{ required: ['x'] }], properties: { x: {} } }), { function: { name: 'b' } }],
  })
  expect(tools).toEqual([
    { name: 'a', input_schema: { type: 'object', properties: { x: {} } } },
    { name: 'b', input_schema: { type: 'object' } },
  ])
})

test.each<[object, string, RegExp]>([
  [{ messages: [] }, 'messages', /at least one message/],
  [{ messages: [{ role: 'system', content: 'x' }] }, 'messages', /at least one message/],
  [{ messages: [{ role: 'function', content: 'x' }] }, 'messages.0.role', /message 1 must be/],
  [{ messages: [user([{ type: 'input_audio', input_audio: {} }])] }, 'messages.0.content.0', /input_audio.*Send text/],
  [{ messages: [user([{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }])] }, 'messages.0.content.0', /PNG, JPEG/],
  [{ messages: [user([{ type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,AA' } }])] }, 'messages.0.content.0', /PNG, JPEG/],
  [{ messages: [user([{ type: 'file', file: { file_data: 'data:text/html;base64,AA' } }])] }, 'messages.0.content.0', /PDF/],
  [{ ...hello, n: 2 }, 'n', /Set n to 1/],
  [{ ...hello, tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools.0', /function with a name/],
])('refused: %j', (asked, param, message) => {
  expect(translate(asked)).toEqual({ param, message: expect.stringMatching(message) })
})

test('any conversation of the runtime becomes a request that the API accepts', () => {
  const said = fc.oneof(fc.string(), fc.constantFrom('', ' ', 'Grüße 👋🏽'))
  const id = fc.oneof(fc.constantFrom('call_0', 'call_1', 'a.b', 'a:b', ''), fc.string())
  const turn = fc.record({
    before: fc.array(fc.record({ role: fc.constantFrom('user', 'system'), content: said }), { maxLength: 2 }),
    content: fc.option(said),
    calls: fc.uniqueArray(fc.tuple(id, fc.constantFrom('fs__read', 'fs__list'), fc.oneof(fc.json(), fc.string())), {
      selector: ([own]) => own,
      maxLength: 4,
    }),
    thinking: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 6 }), fc.boolean(), (turns, hasTools) => {
      const messages = turns.flatMap(({ before, content, calls, thinking }) => [
        ...before,
        {
          ...{ role: 'assistant', content },
          ...(calls.length > 0 ? { tool_calls: calls.map(([own, name, args]) => call(own, name, args)) } : {}),
          ...(thinking ? { thinking_blocks: [{ index: 0, type: 'thinking', thinking: 'x', signature: 'y' }] } : {}),
        },
        ...calls.toReversed().map(([own]) => ({ role: 'tool', tool_call_id: own, content: 'done' })),
      ])
      const sent = translate({
        messages: [...messages, user('Go on')],
        ...(hasTools ? { tools: [tool('fs__read'), tool('fs__list')] } : {}),
      })
      expect(anthropicFaults(JSON.stringify(sent))).toEqual([])
    }),
  )
})
