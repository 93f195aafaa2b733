import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Turn, turnBuilder } from './turn.ts'

function built(...chunks: unknown[]): Turn {
  const builder = turnBuilder()
  for (const chunk of chunks) builder.add(chunk)
  return builder.finish()
}

const delta = (fields: object) => ({ choices: [{ delta: fields }] })
const calls = (...tool_calls: object[]) => delta({ tool_calls })
const named = (name: string, args?: unknown) => ({ function: { name, ...(args === undefined ? {} : { arguments: args }) } })
const made = (turn: Turn) => turn.calls.map(({ wire_id, name, arguments: args }) => [wire_id, name, args])

test.each<[string, unknown[], unknown[]]>([
  ['arguments as an object', [calls({ index: 0, id: 'a', ...named('f', { x: 1 }) })], [['a', 'f', '{"x":1}']]],
  [
    'pieces without an index, identified by their ids',
    [
      calls({ id: 'a', ...named('f', '{"x"') }),
      calls({ id: 'a', function: { arguments: ':1}' } }),
      calls({ id: 'b', ...named('g', '{}') }),
    ],
    [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{}'],
    ],
  ],
  [
    'pieces without index and id, one call after the other',
    [calls(named('f', '{"x"')), calls({ function: { arguments: ':1}' } }), calls(named('f', '{"x":2}'))],
    [
      ['call_0', 'f', '{"x":1}'],
      ['call_1', 'f', '{"x":2}'],
    ],
  ],
  [
    'two calls of one tool in one chunk, without index and id',
    [calls(named('f', '{"x":1}'), named('f', '{"x":2}'))],
    [
      ['call_0', 'f', '{"x":1}'],
      ['call_1', 'f', '{"x":2}'],
    ],
  ],
  [
    'empty ids',
    [calls({ index: 0, id: '', ...named('f', '{}') }), calls({ index: 1, id: '', ...named('g', '{}') })],
    [
      ['call_0', 'f', '{}'],
      ['call_1', 'g', '{}'],
    ],
  ],
  [
    'the same id twice',
    [calls({ index: 0, id: 'call_1', ...named('f', '{}') }), calls({ index: 1, id: 'call_1', ...named('g', '{}') })],
    [
      ['call_1', 'f', '{}'],
      ['call_1_', 'g', '{}'],
    ],
  ],
  [
    'a name repeated in every piece',
    [calls({ index: 0, id: 'a', ...named('fs__read', '{"x"') }), calls({ index: 0, ...named('fs__read', ':1}') })],
    [['a', 'fs__read', '{"x":1}']],
  ],
  [
    'a name in pieces',
    [calls({ index: 0, id: 'a', ...named('fs__', '') }), calls({ index: 0, ...named('read', '{}') })],
    [['a', 'fs__read', '{}']],
  ],
  [
    'every call at index 0, with its own id',
    [
      calls({ index: 0, id: 'a', ...named('f', '') }),
      calls({ index: 0, function: { arguments: '{"x":1}' } }),
      calls({ index: 0, id: 'b', ...named('g', '') }),
      calls({ index: 0, function: { arguments: '{"x":2}' } }),
    ],
    [
      ['a', 'f', '{"x":1}'],
      ['b', 'g', '{"x":2}'],
    ],
  ],
])('%s', (_name, chunks, expected) => {
  expect(made(built(...chunks))).toEqual(expected)
})

test('a hundred and fifty calls in one turn', () => {
  const chunks = Array.from({ length: 150 }, (_, index) => calls({ index, id: `c${index}`, ...named('f', `{"n":${index}}`) }))
  expect(made(built(...chunks))).toEqual(Array.from({ length: 150 }, (_, index) => [`c${index}`, 'f', `{"n":${index}}`]))
})

test('content in parts: text, thoughts as text or as parts, a refusal', () => {
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm. ' }] },
    { type: 'reasoning', text: 'So.' },
    { type: 'text', text: 'Hello ' },
    { type: 'output_text', text: 'you' },
    { type: 'image_url', image_url: { url: 'x' } },
    { type: 'refusal', refusal: 'No.' },
  ]
  expect(built({ choices: [{ message: { content: parts }, finish_reason: 'stop' }] })).toMatchObject({
    text: 'Hello you',
    thinking: 'Hm. So.',
    refusal: 'No.',
    finish_reason: 'stop',
  })
})

test.each<[string, unknown[], unknown]>([
  [
    'DeepSeek: reasoning in pieces',
    [delta({ reasoning_content: 'Let ' }), delta({ reasoning_content: 'me' }), delta({ reasoning_content: null, content: 'x' })],
    { reasoning_content: 'Let me' },
  ],
  [
    'DeepSeek: missing reasoning counts as empty',
    [delta({ role: 'assistant', content: '', reasoning_content: null })],
    { reasoning_content: '' },
  ],
  [
    'OpenRouter: pieces of one detail, then its signature, then another detail',
    [
      delta({ reasoning: 'ha', reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'v1', text: 'ha' }] }),
      delta({ reasoning: 'ha', reasoning_details: [{ type: 'reasoning.text', index: 0, format: 'v1', text: 'ha' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'sig' }] }),
      delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'x', id: 'r1' }] }),
    ],
    {
      reasoning: 'haha',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, format: 'v1', text: 'haha', signature: 'sig' },
        { type: 'reasoning.encrypted', index: 1, data: 'x', id: 'r1' },
      ],
    },
  ],
  [
    'Google: a signature next to the text',
    [delta({ content: 'x', extra_content: { google: { thought_signature: 'abc' } } })],
    { extra_content: { google: { thought_signature: 'abc' } } },
  ],
  ['the fields of the API itself', [delta({ role: 'assistant', content: 'x', refusal: null, annotations: [] })], undefined],
])('provider fields: %s', (_name, chunks, expected) => {
  expect(built(...chunks).provider_fields).toEqual(expected)
})

test('Google: a signature on the first of two calls', () => {
  const extra_content = { google: { thought_signature: 'abc' } }
  const turn = built(calls({ index: 0, id: 'a', extra_content, ...named('f', '{}') }), calls({ index: 1, id: 'b', ...named('g', '{}') }))
  expect(turn.calls).toEqual([
    { wire_id: 'a', name: 'f', arguments: '{}', provider_fields: { extra_content } },
    { wire_id: 'b', name: 'g', arguments: '{}' },
  ])
})

test('keep-alives are not progress', () => {
  const builder = turnBuilder()
  const progress = [
    { choices: [] },
    delta({}),
    delta({ content: '' }),
    delta({ role: 'assistant', content: null, reasoning_content: null }),
    delta({ content: 'x' }),
    delta({ reasoning_content: 'x' }),
    calls({ index: 0, ...named('f', '') }),
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  ].map((chunk) => builder.add(chunk).isProgress)
  expect(progress).toEqual([false, false, false, false, true, true, true, true, true])
})

test('whatever arrives, every call has a unique id', () => {
  fc.assert(
    fc.property(
      fc.array(fc.anything()),
      fc.array(
        fc.record(
          {
            index: fc.nat(3),
            id: fc.constantFrom('', 'a', 'call_1'),
            function: fc.record({ name: fc.constantFrom('f', ''), arguments: fc.string() }),
          },
          { requiredKeys: [] },
        ),
      ),
      (odd, pieces) => {
        const turn = built(...odd, ...odd.map((one) => delta({ tool_calls: [one], content: one })), ...pieces.map((piece) => calls(piece)))
        const ids = turn.calls.map(({ wire_id }) => wire_id)
        expect([ids.includes(''), new Set(ids).size]).toEqual([false, ids.length])
      },
    ),
  )
})
