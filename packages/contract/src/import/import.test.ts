import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importLimits, parseExport } from './index.ts'

const node = (id: string, parent: string | null, role: string, parts: unknown[], more: object = {}) => ({
  [id]: {
    id,
    parent,
    children: [],
    message: { id, author: { role }, create_time: 1_700_000_000.5, content: { content_type: 'text', parts }, recipient: 'all', ...more },
  },
})

/** As ChatGPT exports it: a root without a message, a hidden system message, an edited question, a call of a tool. */
const chatgpt = {
  title: 'Bread',
  create_time: 1_700_000_000,
  update_time: 1_700_000_100.25,
  conversation_id: 'c-1',
  current_node: 'a2',
  mapping: {
    root: { id: 'root', message: null, parent: null, children: ['s'] },
    ...node('s', 'root', 'system', ['']),
    ...node('u1', 's', 'user', ['How do I bake bread?']),
    ...node('a1', 'u1', 'assistant', ['With flour.']),
    ...node('u2', 's', 'user', ['How do I bake rye bread?', { content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' }]),
    ...node('t', 'u2', 'assistant', ['search("rye")'], { recipient: 'browser' }),
    ...node('r', 't', 'tool', ['results']),
    ...node('a2', 'r', 'assistant', ['With rye flour.'], { create_time: null }),
  },
}
const claude = {
  uuid: 'k-1',
  name: 'Trip',
  created_at: '2024-03-01T10:00:00.000000Z',
  updated_at: '2024-03-01T11:00:00.000000Z',
  chat_messages: [
    {
      uuid: '1',
      text: 'Where to?',
      sender: 'human',
      created_at: '2024-03-01T10:00:00Z',
      attachments: [{ file_name: 'map.pdf' }],
      files: [],
    },
    {
      uuid: '2',
      text: '',
      content: [
        { type: 'text', text: 'To Porto.' },
        { type: 'tool_use', name: 'x' },
      ],
      sender: 'assistant',
    },
  ],
}

test('a conversation of ChatGPT is its current path; other branches are conversations of their own', () => {
  const at = 1_700_000_000_500
  expect(parseExport([chatgpt])).toEqual({
    ok: true,
    source: 'chatgpt',
    problems: [],
    conversations: [
      {
        source: 'chatgpt',
        source_id: 'c-1',
        leaf_id: 'a2',
        title: 'Bread',
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_100_250,
        messages: [
          { role: 'user', text: 'How do I bake rye bread?\n\n[Image]', created_at: at },
          { role: 'assistant', text: 'With rye flour.', created_at: 1_700_000_000_000 },
        ],
      },
      {
        source: 'chatgpt',
        source_id: 'c-1',
        leaf_id: 'a1',
        title: 'Bread (branch 2)',
        created_at: 1_700_000_000_000,
        updated_at: 1_700_000_100_250,
        messages: [
          { role: 'user', text: 'How do I bake bread?', created_at: at },
          { role: 'assistant', text: 'With flour.', created_at: at },
        ],
      },
    ],
  })
})

test('a conversation of Claude has its texts, the names of its files and its dates', () => {
  const created_at = Date.parse(claude.created_at)
  expect(parseExport([claude, { ...claude, chat_messages: [] }, 7])).toEqual({
    ok: true,
    source: 'claude',
    problems: ['Trip: it has no messages with text', 'number 3: it has not the form of a conversation of Claude'],
    conversations: [
      {
        source: 'claude',
        source_id: 'k-1',
        title: 'Trip',
        created_at,
        updated_at: Date.parse(claude.updated_at),
        messages: [
          { role: 'user', text: 'Where to?\n\n[File: map.pdf]', created_at },
          { role: 'assistant', text: 'To Porto.', created_at },
        ],
      },
    ],
  })
})

test.each([
  ['null', null, 'conversations.json is not a list of conversations'],
  ['an object', { a: 1 }, 'conversations.json is not a list of conversations'],
  ['a text', 'text', 'conversations.json is not a list of conversations'],
  ['an empty list', [], 'the export has no conversations'],
  ['another form', [{ title: 'x' }], 'the conversations have neither the form of ChatGPT nor that of Claude'],
  ['too many', Array(importLimits.conversations + 1).fill(claude), `it has more than ${importLimits.conversations} conversations`],
])('%s: refused by name', (_name, value, message) => {
  expect(parseExport(value)).toMatchObject({ ok: false, message })
})

test('what is too long is shortened or left out, by name', () => {
  const said = (text: string) => ({ sender: 'human', text })
  const long = { ...claude, chat_messages: [said('x'.repeat(importLimits.characters + 1))] }
  const many = { ...claude, chat_messages: Array(importLimits.messages + 5).fill(said('x')) }
  const parsed = parseExport([long, many])
  if (!parsed.ok) throw new Error(parsed.message)
  expect([parsed.conversations.map(({ messages }) => messages.length), parsed.problems]).toEqual([
    [1, importLimits.messages],
    ['Trip: a message was shortened to 200000 characters', 'Trip: its last 5 messages were left out, it is too long'],
  ])
})

test('dates without a timestamp and messages of characters that are not text do not make a conversation unreadable', () => {
  const said = { sender: 'human', text: 'Where to?', created_at: '+200000-01-01T00:00:00Z' }
  const hostile = { ...claude, updated_at: '+200000-01-01T00:00:00Z', chat_messages: [{ sender: 'human', text: '\0\0' }, said] }
  const created_at = Date.parse(claude.created_at)
  expect(parseExport([hostile])).toMatchObject({
    conversations: [{ created_at, updated_at: created_at, messages: [{ text: 'Where to?', created_at }] }],
    problems: [],
  })
})

test('a mapping that leads in a circle ends', () => {
  const circle = { ...chatgpt, mapping: { ...node('a', 'b', 'user', ['1']), ...node('b', 'a', 'assistant', ['2']) }, current_node: 'a' }
  expect(parseExport([circle])).toMatchObject({ ok: true, conversations: [{ messages: [{ text: '2' }, { text: '1' }] }] })
})

test('any JSON is read without an error, and twice with the same result', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.record({ mapping: fc.dictionary(fc.string(), fc.jsonValue()), current_node: fc.string() })),
    fc.array(
      fc.record({ chat_messages: fc.array(fc.record({ sender: fc.constantFrom('human', 'assistant', 'x'), text: fc.jsonValue() })) }),
    ),
  )
  fc.assert(
    fc.property(anything, (value) => {
      expect(parseExport(value)).toEqual(parseExport(JSON.parse(JSON.stringify(value))))
    }),
  )
})
