import { expect, test } from 'vitest'
import { plannedCalls } from './planned-calls.ts'

test('every call, task and other workflow is listed with its arguments', () => {
  const calls = plannedCalls({
    nodes: [
      {
        id: 'save',
        kind: 'tool',
        tool: 'fs.write',
        arguments: '{"path":"a.md","content":"{{inputs.text}}"}',
        compensation: { tool: 'fs.delete', arguments: '{"path":"a.md"}' },
      },
      { id: 'ask', kind: 'question', question: 'Really?' },
      { id: 'work', kind: 'agent', prompt: 'Fix the tests.' },
      { id: 'next', kind: 'workflow', workflow_id: 'w2', inputs: '{}' },
    ],
  })
  expect(calls).toEqual([
    { node_id: 'save', what: 'tool', name: 'fs.write', text: '{\n  "path": "a.md",\n  "content": "{{inputs.text}}"\n}' },
    { node_id: 'save', what: 'compensation', name: 'fs.delete', text: '{\n  "path": "a.md"\n}' },
    { node_id: 'work', what: 'agent', name: null, text: 'Fix the tests.' },
    { node_id: 'next', what: 'workflow', name: 'w2', text: '{}' },
  ])
})
