import { checkWorkflow } from '@tandem/contract/workflow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readWorkflowText, workflowText } from '../text/workflow-text.ts'
import { type DraftedCall, draftOf } from './draft.ts'

const call = (tool: string, given: Record<string, unknown> | null, more: Partial<DraftedCall> = {}): DraftedCall => ({
  tool,
  arguments: given,
  has_succeeded: true,
  output: null,
  ...more,
})

function draft(calls: readonly DraftedCall[], request = 'Do it.') {
  const made = draftOf({ title: 'Do it', request, workspace: '/projects/space', calls })
  if (!made) throw new Error('nothing was drafted')
  return {
    ...made,
    nodes: made.content.definition.nodes.map((node) => ('arguments' in node ? { ...node, arguments: JSON.parse(node.arguments) } : node)),
  }
}

test('the calls become nodes in their order, with names of their own', () => {
  const { nodes, content } = draft([
    call('fs.read', { path: 'a.txt' }),
    call('fs.write', { path: 'b.txt', content: 'b' }),
    call('fs.read', { path: 'b.txt' }),
    call('mcp.notes.add-note', { text: 'n' }),
  ])
  expect(nodes.map(({ id }) => id)).toEqual(['read', 'write', 'read_2', 'add_note'])
  expect(content.definition.edges).toEqual([
    { from: 'read', to: 'write' },
    { from: 'write', to: 'read_2' },
    { from: 'read_2', to: 'add_note' },
  ])
})

test.each([
  ['failed', call('fs.read', { path: 'x' }, { has_succeeded: false }), 'Left out 1 call that did not succeed.'],
  [
    'a todo',
    call('todo.create', { title: 'x' }),
    'Left out 1 call that only an agent can use: todos, memories, skills, other agents and workflows.',
  ],
  [
    'a memory',
    call('memory.add', { content: 'x' }),
    'Left out 1 call that only an agent can use: todos, memories, skills, other agents and workflows.',
  ],
  ['arguments elsewhere', call('fs.read', null), 'Left out 1 call whose arguments are not on this device.'],
  [
    'a placeholder',
    call('fs.write', { path: 'x', content: ['{{inputs.secret}}'] }),
    'Left out 1 call whose arguments contain {{…}}, which a workflow would replace.',
  ],
  ['repeated', call('fs.read', { path: 'first' }), 'Left out 1 call that repeated the call before.'],
])('left out with a note: %s', (_name, other, note) => {
  const { nodes, notes } = draft([call('fs.read', { path: 'first' }), other])
  expect(nodes).toHaveLength(1)
  expect(notes).toContain(note)
})

test('more calls than a workflow may have are left out at the end', () => {
  const { nodes, notes } = draft(Array.from({ length: 502 }, (_, number) => call('fs.read', { path: `${number}` })))
  expect(nodes).toHaveLength(500)
  expect(notes).toContain('Left out the last 2 calls: a workflow has at most 500 nodes.')
})

test('without a call that can be made again there is no draft', () => {
  expect(draftOf({ title: 't', request: '', workspace: '/w', calls: [call('todo.list', {})] })).toBeNull()
})

test('what the user named is an input, once for each value; commands are not filled in', () => {
  const { nodes, content } = draft(
    [
      call('fs.read', { path: '/projects/space/docs/report.md' }),
      call('fs.write', { path: 'docs/report.md', content: 'A report' }),
      call('shell.exec', { command: 'cat docs/report.md', cwd: '/projects/space' }),
      call('web.fetch', { url: 'https://example.org/a' }),
    ],
    'Read docs/report.md, then compare it with https://example.org/a.',
  )
  expect(content.definition.inputs).toEqual([
    { name: 'path', type: 'file', required: true, default_value: '"docs/report.md"' },
    { name: 'url', type: 'text', required: true, default_value: '"https://example.org/a"' },
  ])
  expect(nodes.map((node) => ('arguments' in node ? node.arguments : null))).toEqual([
    { path: '{{inputs.path}}' },
    { path: '{{inputs.path}}', content: 'A report' },
    { command: 'cat docs/report.md', cwd: '.' },
    { url: '{{inputs.url}}' },
  ])
})

test('a value is named only as a word of its own', () => {
  const { content } = draft([call('fs.read', { path: 'art' }), call('fs.read', { path: 'a.md' })], 'Start with data.md in parts')
  expect(content.definition.inputs).toEqual([])
})

test('what one call returned and another one used is a placeholder', () => {
  const body = 'The weather tomorrow: rain, then sun.'
  const { nodes } = draft([
    call('web.fetch', { url: 'https://example.org' }, { output: { pages: [{ text: body }] } }),
    call('fs.write', { path: 'weather.txt', content: body }),
    call('script.run', { language: 'python', source: 'print(1)', args: [body] }),
  ])
  expect(nodes.slice(1).map((node) => ('arguments' in node ? node.arguments : null))).toEqual([
    { path: 'weather.txt', content: '{{nodes.fetch.output.pages[0].text}}' },
    { language: 'python', source: 'print(1)', args: ['{{nodes.fetch.output.pages[0].text}}'] },
  ])
})

test('a question of the agent becomes a question', () => {
  const options = [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ]
  const { nodes } = draft([call('ask_user', { question: 'Which one?', options })])
  expect(nodes).toEqual([{ id: 'ask_user', kind: 'question', question: 'Which one?', choices: ['First', 'Second'] }])
})

test('a draft of any calls is a workflow without mistakes, and its text is read back as the same', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('docs/report.md', 'a text that is long enough to be found', '{{inputs.x}}', '/projects/space/a'),
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(text, tie('any'), { maxKeys: 3 }),
    ),
  })).any
  const calls = fc.array(
    fc.record({
      tool: fc.constantFrom('fs.read', 'fs.write', 'shell.exec', 'script.run', 'web.fetch', 'todo.list', 'mcp.a.b'),
      arguments: fc.option(fc.dictionary(fc.constantFrom('path', 'content', 'command', 'args', 'url', 'cwd'), value)),
      has_succeeded: fc.boolean(),
      output: value,
    }),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(calls, fc.oneof(text, fc.constant('Look at docs/report.md.')), fc.string({ maxLength: 300 }), (made, request, title) => {
      const drafted = draftOf({ title, request, workspace: '/projects/space', calls: made })
      if (!drafted) return
      expect(checkWorkflow(drafted.content.definition, { workflow_id: null, definitionOf: () => undefined })).toEqual([])
      for (const format of ['yaml', 'json'] as const)
        expect(readWorkflowText(workflowText(drafted.content, format))).toEqual({ ok: true, content: drafted.content })
    }),
  )
})
