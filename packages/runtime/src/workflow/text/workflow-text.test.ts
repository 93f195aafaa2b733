import type { WorkflowContent } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { readWorkflowText, workflowText } from './workflow-text.ts'

const yaml = `name: Summarize a folder
description: Reads every file and writes one summary.
inputs:
  - name: folder
    type: file
    required: true
  - name: style
    type: json
    required: false
    default_value: { tone: friendly, words: 200 }
nodes:
  - id: list
    kind: tool
    tool: fs.list
    arguments:
      path: "{{inputs.folder}}"
  - id: each
    kind: for_each
    items: "{{nodes.list.output.entries}}"
    concurrency: 4
    result: "{{nodes.summary.output}}"
  - id: read
    kind: tool
    within: each
    tool: fs.read
    arguments: { path: "{{loops.each.item.path}}" }
    retry: { attempts: 3, backoff_seconds: 5 }
  - id: summary
    kind: agent
    within: each
    prompt: |
      Summarize this file:
      {{nodes.read.output.content}}
  - id: right
    kind: approval
    message: Is this summary right?
  - id: write
    kind: tool
    tool: fs.write
    arguments: { path: summary.md, content: "{{nodes.each.output}}" }
    compensation:
      tool: fs.delete
      arguments: { path: summary.md }
edges:
  - list -> each
  - read -> summary
  - each -> right
  - { from: right, to: write, when: approved }
outputs:
  - { name: summaries, type: json, value: "{{nodes.each.output}}" }
`

const content: WorkflowContent = {
  name: 'Summarize a folder',
  description: 'Reads every file and writes one summary.',
  definition: {
    inputs: [
      { name: 'folder', type: 'file', required: true },
      { name: 'style', type: 'json', required: false, default_value: '{"tone":"friendly","words":200}' },
    ],
    nodes: [
      { id: 'list', kind: 'tool', tool: 'fs.list', arguments: '{"path":"{{inputs.folder}}"}' },
      { id: 'each', kind: 'for_each', items: '{{nodes.list.output.entries}}', concurrency: 4, result: '{{nodes.summary.output}}' },
      {
        ...{ id: 'read', kind: 'tool', within: 'each', tool: 'fs.read', arguments: '{"path":"{{loops.each.item.path}}"}' },
        retry: { attempts: 3, backoff_seconds: 5 },
      },
      { id: 'summary', kind: 'agent', within: 'each', prompt: 'Summarize this file:\n{{nodes.read.output.content}}\n' },
      { id: 'right', kind: 'approval', message: 'Is this summary right?' },
      {
        ...{ id: 'write', kind: 'tool', tool: 'fs.write', arguments: '{"path":"summary.md","content":"{{nodes.each.output}}"}' },
        compensation: { tool: 'fs.delete', arguments: '{"path":"summary.md"}' },
      },
    ],
    edges: [
      { from: 'list', to: 'each' },
      { from: 'read', to: 'summary' },
      { from: 'each', to: 'right' },
      { from: 'right', to: 'write', when: 'approved' },
    ],
    outputs: [{ name: 'summaries', type: 'json', value: '{{nodes.each.output}}' }],
  },
}

test('YAML, JSON and the stored form give the same content', () => {
  const texts = [yaml, workflowText(content, 'yaml'), workflowText(content, 'json'), JSON.stringify(content), `\uFEFF\n${yaml}`]
  expect(texts.map((text) => readWorkflowText(text))).toEqual(texts.map(() => ({ ok: true, content })))
})

test('what is written is easy to read', () => {
  const small: WorkflowContent = {
    name: 'Check',
    definition: {
      inputs: [],
      nodes: [
        { arguments: '{"path":"{{inputs.x}}","lines":"a\\nb\\n"}', tool: 'fs.read', kind: 'tool', id: 'read', position: { x: 1, y: 2 } },
        { id: 'full', kind: 'condition', condition: { left: '{{nodes.read.output}}', comparison: 'equals', right: 'on' } },
        { id: 'pause', kind: 'wait', seconds: 1 },
      ],
      edges: [
        { from: 'read', to: 'full' },
        { from: 'full', to: 'pause', when: 'true' },
      ],
    },
  }
  expect(workflowText(small, 'yaml')).toBe(`name: Check
nodes:
  - id: read
    kind: tool
    arguments:
      path: "{{inputs.x}}"
      lines: |
        a
        b
    tool: fs.read
    position: { x: 1, y: 2 }
  - id: full
    kind: condition
    condition:
      left: "{{nodes.read.output}}"
      comparison: equals
      right: on
  - id: pause
    kind: wait
    seconds: 1
edges:
  - read -> full
  - full -> pause when true
`)
})

const steps = (...nodes: string[]) => `name: Steps\nnodes:\n${nodes.map((node) => `  - ${node}\n`).join('')}`
const wait = (id: string, rest = '') => `{ id: ${id}, kind: wait, seconds: 1${rest} }`

function edgesOf(text: string) {
  const read = readWorkflowText(text)
  return read.ok ? read.content.definition.edges : read.issues
}

test('without edges, the nodes of each loop follow one another in the order in which they are written', () => {
  const loop = '{ id: again, kind: repeat, most_rounds: 2, until: { expression: "true" } }'
  const text = steps(wait('a'), loop, wait('b', ', within: again'), wait('c'), wait('d', ', within: again'))
  expect(edgesOf(text)).toEqual([
    { from: 'a', to: 'again' },
    { from: 'again', to: 'c' },
    { from: 'b', to: 'd' },
  ])
  expect(edgesOf(`${text}edges: []\n`)).toEqual([])
})

test('after a condition or an approval, edges are needed', () => {
  const ask = '{ id: ask, kind: approval, message: Continue? }'
  expect(edgesOf(steps(wait('a'), ask))).toEqual([{ from: 'a', to: 'ask' }])
  expect(edgesOf(steps(wait('a'), ask, wait('b')))).toEqual([
    { pointer: '/nodes/1', line: 4, column: 5, message: 'can end with approved or denied; list what follows in `edges`' },
  ])
})

test('the outcome true of a condition may be written without quotes', () => {
  const full = '{ id: full, kind: condition, condition: { left: x, comparison: exists } }'
  const text = steps(full, wait('a'), wait('b'))
  expect(edgesOf(`${text}edges:\n  - { from: full, to: a, when: true }\n  - full->b when false`)).toEqual([
    { from: 'full', to: 'a', when: 'true' },
    { from: 'full', to: 'b', when: 'false' },
  ])
})

test('a content whose JSON texts the readable form cannot contain is written as it is stored', () => {
  for (const json of ['{"a":', '"{\\"path\\":\\"x\\"}"', 'null', '[1]', '{"a":1e999}', `{"a":${'['.repeat(95)}${']'.repeat(95)}}`]) {
    const definition = { inputs: [], edges: [], nodes: [{ id: 'a', kind: 'tool' as const, tool: 'fs.read', arguments: json }] }
    for (const format of ['yaml', 'json'] as const) {
      const read = readWorkflowText(workflowText({ name: 'Odd', definition }, format))
      if (json === '{"a":') expect(read).toMatchObject({ issues: [{ pointer: '/definition/nodes/0/arguments' }] })
      else expect(read).toEqual({ ok: true, content: { name: 'Odd', definition } })
    }
  }
})

test('the schema of an editor may be named in a JSON document', () => {
  expect(
    readWorkflowText(
      `{ "$schema": "./workflow.schema.json", "name": "A", "nodes": [${JSON.stringify({ id: 'a', kind: 'wait', seconds: 1 })}] }`,
    ),
  ).toEqual({
    ok: true,
    content: { name: 'A', definition: { inputs: [], nodes: [{ id: 'a', kind: 'wait', seconds: 1 }], edges: [] } },
  })
})
