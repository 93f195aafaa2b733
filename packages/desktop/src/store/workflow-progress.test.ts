import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { runNode } from '../../test/support/workflow/test-run-node.ts'
import { currentNode } from './current-node.ts'
import { workflowProgress } from './workflow-progress.ts'
import { workflowWait } from './workflow-wait.ts'

const definition: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'files', kind: 'for_each', items: '[]', concurrency: 2 },
    { id: 'read', kind: 'wait', seconds: 1, within: 'files' },
    { id: 'ask', kind: 'approval', message: 'Really?' },
  ],
  edges: [],
}
const counts = { pending: 0, running: 1, waiting: 0, completed: 7, failed: 0, skipped: 0, compensated: 0 }

test('rounds of loops are no progress, unless nothing else is known', () => {
  const nodes = [
    runNode('files', { state: 'completed' }),
    runNode('read', { iteration: [0], state: 'completed' }),
    runNode('ask', { state: 'running' }),
  ]
  expect(workflowProgress({ definition, nodes, counts })).toEqual({ done: 1, total: 2 })
  expect(workflowProgress({ definition: null, nodes, counts })).toEqual({ done: 7, total: 8 })
})

test('a loop does what its nodes do, and what waits for a user comes first', () => {
  const [files, read] = [runNode('files', { state: 'running' }), runNode('read', { iteration: [0], state: 'running' })]
  const ask = runNode('ask', { state: 'waiting', waits_for: 'approval' })
  expect(currentNode({ definition, nodes: [files] })).toBe(null)
  expect(currentNode({ definition, nodes: [files, read] })).toEqual({ node: definition.nodes[1], record: read })
  expect(currentNode({ definition, nodes: [files, read, ask] })).toEqual({ node: definition.nodes[2], record: ask })
  expect(currentNode({ definition: null, nodes: [ask] })).toEqual({ node: null, record: ask })
})

test.each([
  ['running', null, 'approval', 'person'],
  ['paused', 'approval', 'approval', 'person'],
  ['paused', 'question', 'person', 'person'],
  ['paused', null, 'question', 'person'],
  ['paused', 'time', 'time', 'event'],
  ['paused', 'child', 'child', 'event'],
  ['running', null, 'time', null],
  ['paused', 'user', 'approval', null],
  ['paused', 'crash', 'time', null],
  ['paused', null, null, null],
  ['canceled', null, 'approval', null],
] as const)('%s, the run paused for %s, a node waits for %s: %s', (state, pause_reason, waits_for, expected) => {
  const nodes = waits_for === null ? [] : [runNode('ask', { state: 'waiting', waits_for })]
  expect(workflowWait({ state, nodes }, pause_reason)).toBe(expected)
})
