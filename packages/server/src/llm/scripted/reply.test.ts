import { expect, test } from 'vitest'
import type { Message, OfferedTool } from './conversation.ts'
import { introduction, reply } from './reply.ts'

const tool = (name: string, ...properties: string[]): OfferedTool => ({
  name,
  parameters: { type: 'object', properties: Object.fromEntries(properties.map((one) => [one, { type: 'string' }])) },
})
const tools = [tool('fs__list', 'path'), tool('fs__read', 'path'), tool('fs__write', 'path', 'content'), tool('ask_user', 'question')]
const user = (text: string): Message => ({ role: 'user', text })
const calling = (...calls: [string, object][]): Message => ({
  role: 'assistant',
  text: '',
  calls: calls.map(([name, input], index) => ({ id: `call_${name}_${index}`, name, arguments: JSON.stringify(input) })),
})
const result = (call_id: string, text: string, failed = false): Message => ({ role: 'tool', call_id, text, failed })

test('it identifies itself', () => {
  expect(reply([user('hello')], [])).toEqual({
    steps: [{ kind: 'text', text: `${introduction} I cannot use any of the available tools.` }],
  })
  expect(JSON.stringify(reply([user('hello')], tools))).toContain('- list the files')
})

test('a plain request becomes a call with an announcement', () => {
  expect(reply([user('List the files in src')], tools)).toEqual({
    steps: [
      { kind: 'text', text: `${introduction} I will list the files in src.` },
      { kind: 'call', name: 'fs__list', arguments: '{"path":"src"}' },
    ],
  })
})

test('several calls at once', () => {
  expect(reply([user('hi'), { role: 'assistant', text: 'hi', calls: [] }, user('read a.txt and b.txt')], tools)).toEqual({
    steps: [
      { kind: 'text', text: 'I will read a.txt. I will read b.txt.' },
      { kind: 'call', name: 'fs__read', arguments: '{"path":"a.txt"}' },
      { kind: 'call', name: 'fs__read', arguments: '{"path":"b.txt"}' },
    ],
  })
})

test('it comments on results, then continues with the next step, then ends', () => {
  const start = [
    user('write "hi" to a.txt, then read a.txt'),
    calling(['fs__write', { path: 'a.txt' }]),
    result('call_fs__write_0', 'wrote 2 bytes'),
  ]
  expect(reply(start, tools)).toEqual({
    steps: [
      { kind: 'text', text: 'I wrote a.txt:\n\n```\nwrote 2 bytes\n```\n\nI will read a.txt.' },
      { kind: 'call', name: 'fs__read', arguments: '{"path":"a.txt"}' },
    ],
  })
  const ended = [...start, calling(['fs__read', { path: 'a.txt' }]), result('call_fs__read_0', 'hi')]
  expect(reply(ended, tools)).toEqual({ steps: [{ kind: 'text', text: 'This is in a.txt:\n\n```\nhi\n```\n\nAll 2 steps are done.' }] })
})

test('a failed call ends it', () => {
  const failed = [user('read a.txt then list the files'), calling(['fs__read', {}]), result('call_fs__read_0', 'no such file', true)]
  expect(reply(failed, tools)).toEqual({
    steps: [{ kind: 'text', text: '`fs__read` failed, so I am stopping here. It returned:\n\n```\nno such file\n```' }],
  })
})

test('a long result is shown in part', () => {
  const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
  const { steps } = reply([user('read a.txt'), calling(['fs__read', {}]), result('call_fs__read_0', long)], tools)
  expect(JSON.stringify(steps)).toContain('line 19\\n```\\n(')
})

test('a tool that is not offered is not called', () => {
  expect(reply([user('run ls')], tools)).toEqual({
    steps: [
      {
        kind: 'text',
        text: `${introduction} For this I would need a tool like \`shell__exec\`, but none of the tools available to me does that.`,
      },
    ],
  })
})

test('tools of MCP servers are recognized by the last part of their name', () => {
  expect(reply([user('list the files')], [tool('mcp__disk__list_directory', 'path')]).steps.at(-1)).toEqual({
    kind: 'call',
    name: 'mcp__disk__list_directory',
    arguments: '{"path":"."}',
  })
})
