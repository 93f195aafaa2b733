import { describe, expect, test } from 'vitest'
import type { KnownNames } from './suggestion.ts'
import { suggestionsAt } from './suggestions.ts'

const known: KnownNames = {
  tools: [
    {
      name: 'fs.read',
      summary: 'Read a file.',
      input_schema: JSON.stringify({
        type: 'object',
        required: ['path'],
        properties: { path: { type: 'string', description: 'The file' }, mode: { enum: ['text', 'bytes'] } },
      }),
    },
    { name: 'mcp.notes.add', summary: 'Add a note.', input_schema: '{}' },
  ],
  agents: [{ id: 'agent-1', name: 'Researcher' }],
  workflows: [{ id: '0198c0de-1111-7000-8000-000000000000', name: 'Tidy up' }],
}

/** `¦` is the cursor. */
function at(marked: string) {
  const offset = marked.indexOf('¦')
  return suggestionsAt(marked.replace('¦', ''), offset, known)
}

const labels = (marked: string) => at(marked)?.options.map(({ label }) => label) ?? []

/** The text after the first of the suggestions was chosen. */
function chosen(marked: string, label?: string): string {
  const text = marked.replace('¦', '')
  const found = at(marked)
  const option = label === undefined ? found?.options[0] : found?.options.find((one) => one.label === label)
  if (!found || !option) throw new Error('nothing was suggested')
  return text.slice(0, found.from) + (option.insert ?? option.label) + text.slice(found.to)
}

describe('fields', () => {
  test('of the workflow, without those that it has', () => {
    expect(labels('¦')).toEqual(['name', 'nodes', 'description', 'inputs', 'edges', 'output', 'outputs'])
    expect(labels('name: A\nde¦\nnodes: []\n')).toEqual(['description', 'inputs', 'edges', 'output', 'outputs'])
  })

  test('of a node without a kind: those of all kinds first', () => {
    expect(labels('nodes:\n  - id: a\n    ¦').slice(0, 5)).toEqual(['kind', 'title', 'within', 'join', 'position'])
  })

  test('of a node of a kind: the required ones first', () => {
    expect(labels('nodes:\n  - id: a\n    kind: for_each\n    ¦')).toEqual([
      'items',
      'concurrency',
      'title',
      'within',
      'join',
      'position',
      'result',
      'on_item_failure',
    ])
    expect(at('nodes:\n  - id: a\n    kind: wait\n    s¦')?.options[0]).toEqual({
      label: 'seconds',
      insert: 'seconds: ',
      detail: 'required',
      info: 'How long to wait.',
    })
  })

  test('of the arguments of a tool', () => {
    const call = 'nodes:\n  - id: a\n    kind: tool\n    tool: fs.read\n    arguments:\n      '
    expect(labels(`${call}¦`)).toEqual(['path', 'mode'])
    expect(labels(`${call}mode: ¦`)).toEqual(['text', 'bytes'])
    expect(labels('nodes:\n  - id: a\n    kind: tool\n    tool: no.tool\n    arguments:\n      ¦')).toEqual([])
  })

  test('are inserted with what they begin', () => {
    expect(chosen('¦', 'nodes')).toBe('nodes:\n  - ')
    expect(chosen('nodes:\n  - id: a\n    kind: tool\n    arg¦', 'arguments')).toBe(
      'nodes:\n  - id: a\n    kind: tool\n    arguments:\n      ',
    )
    expect(chosen('nodes:\n  - id: a\n    kind: wait\n    ¦')).toBe('nodes:\n  - id: a\n    kind: wait\n    seconds: ')
    expect(chosen('nodes:\n  ¦')).toBe('nodes:\n  - id: ')
  })

  test('in brackets and in JSON', () => {
    expect(chosen('edges:\n  - { from: a, t¦', 'to')).toBe('edges:\n  - { from: a, to: ')
    expect(chosen('{ ¦', 'name')).toBe('{ "name": ')
    expect(chosen('{ "na¦', 'name')).toBe('{ "name": ')
    expect(chosen('{ "nodes": [{ "kind": ¦', 'agent')).toBe('{ "nodes": [{ "kind": "agent"')
  })
})

describe('values', () => {
  const start = 'nodes:\n  - id: each\n    kind: for_each\n  - id: read\n    kind: tool\n  - id: ok\n    kind: condition\n'

  test('of lists in the schema', () => {
    expect(labels('nodes:\n  - kind: ¦')).toEqual([
      'tool',
      'agent',
      'workflow',
      'approval',
      'question',
      'condition',
      'wait',
      'transform',
      'for_each',
      'repeat',
    ])
    expect(labels('nodes:\n  - kind: tool¦').length).toBe(10)
    expect(labels('nodes:\n  - id: a\n    join: ¦')).toEqual(['all', 'any'])
    expect(labels('inputs:\n  - name: a\n    type: ¦')).toEqual(['text', 'number', 'flag', 'json', 'file'])
    expect(labels('inputs:\n  - name: a\n    required: ¦')).toEqual(['true', 'false'])
    expect(labels('nodes:\n  - kind: repeat\n    until:\n      comparison: ¦')).toContain('not_equals')
  })

  test('names of tools, agents and workflows', () => {
    expect(labels('nodes:\n  - kind: tool\n    tool: ¦')).toEqual(['fs.read', 'mcp.notes.add'])
    expect(labels('nodes:\n  - kind: tool\n    compensation:\n      tool: fs¦')).toEqual(['fs.read', 'mcp.notes.add'])
    expect(chosen('nodes:\n  - kind: agent\n    agent_id: ¦')).toBe('nodes:\n  - kind: agent\n    agent_id: agent-1')
    expect(labels('nodes:\n  - kind: workflow\n    workflow_id: ¦')).toEqual(['Tidy up'])
  })

  test('names of nodes', () => {
    expect(labels(`${start}    within: ¦`)).toEqual(['each'])
    expect(labels(`${start}edges:\n  - from: ¦`)).toEqual(['each', 'read', 'ok'])
    expect(labels(`${start}edges:\n  - from: ok\n    when: ¦`)).toEqual(['true', 'false'])
  })

  test('the parts of an edge as text', () => {
    expect(chosen(`edges:\n  - r¦\n${start}`, 'read')).toBe(`edges:\n  - read -> \n${start}`)
    expect(labels(`edges:\n  - read -> ¦\n${start}`)).toEqual(['each', 'ok'])
    expect(labels(`edges:\n  - read -> ok ¦\n${start}`)).toEqual(['when'])
    expect(labels(`edges:\n  - ok -> read when ¦\n${start}`)).toEqual(['true', 'false'])
    expect(labels(`edges:\n  - read -> ok when f¦\n${start}`)).toEqual(['succeeded', 'failed'])
  })

  test.each([
    'name: ¦',
    'nodes:\n  - id: ¦',
    'nodes:¦',
    'name: "A"¦',
    '¦name: A',
    '# ¦',
    'nodes:\n  - kind: agent\n    prompt: |\n      ki¦',
  ])('nothing at %j', (marked) => {
    expect(at(marked)).toBe(null)
  })
})

describe('placeholders', () => {
  const text = (prompt: string, edges = '') =>
    `inputs:
  - name: file
nodes:
  - id: read
    kind: tool
  - id: each
    kind: for_each
    items: "{{nodes.read.output}}"
    result: "{{¦result}}"
  - id: work
    kind: agent
    within: each
    prompt: ${prompt}
  - id: last
    kind: question
${edges}`.replace(prompt.includes('¦') ? '¦result' : 'never', '')

  test('only of what has ended there', () => {
    expect(labels(text('"Read {{¦"'))).toEqual([
      '{{inputs.file}}',
      '{{loops.each.item}}',
      '{{loops.each.index}}',
      '{{nodes.read.output}}',
      '{{nodes.read.error}}',
    ])
    expect(labels(text('a'))).toContain('{{nodes.work.output}}')
    expect(labels(`${text('a').replace('¦', '')}output: "{{¦`)).toEqual([
      '{{inputs.file}}',
      ...['read', 'each', 'last'].map((id) => `{{nodes.${id}.output}}`),
      ...['read', 'each', 'last'].map((id) => `{{nodes.${id}.error}}`),
    ])
  })

  test('by the edges, if there are any', () => {
    const edges = 'edges:\n  - last -> each\n'
    expect(labels(text('"{{no¦"', edges))).toContain('{{nodes.last.output}}')
    expect(labels(text('"{{no¦"', edges))).not.toContain('{{nodes.read.output}}')
  })

  test('are inserted with their braces, and with quotes where YAML needs them', () => {
    expect(chosen('inputs:\n  - name: file\noutput: "See {{in¦"')).toBe('inputs:\n  - name: file\noutput: "See {{inputs.file}}"')
    expect(chosen('inputs:\n  - name: file\noutput: "{{in¦puts}}"')).toBe('inputs:\n  - name: file\noutput: "{{inputs.file}}"')
    expect(chosen('inputs:\n  - name: file\noutput: {{¦')).toBe('inputs:\n  - name: file\noutput: "{{inputs.file}}"')
    expect(chosen('inputs:\n  - name: file\noutput: |\n  See {{¦')).toBe('inputs:\n  - name: file\noutput: |\n  See {{inputs.file}}')
  })
})
