import type { WorkflowRunNode } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { runNode } from '../../../test/support/workflow/test-run-node.ts'
import { nodeStatuses } from './node-status.ts'

const definition: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'files', kind: 'for_each', items: '[]', concurrency: 2 },
    { id: 'read', kind: 'wait', seconds: 1, within: 'files' },
    { id: 'check', kind: 'wait', seconds: 1, within: 'files' },
    { id: 'last', kind: 'wait', seconds: 1 },
  ],
  edges: [],
}

const shown = (nodes: readonly WorkflowRunNode[]) =>
  Object.fromEntries(
    [...nodeStatuses(definition, nodes)].map(([id, { state, record, outcomes, failed, rounds }]) => [
      id,
      { state, iteration: record?.iteration ?? null, outcomes: [...outcomes], failed, rounds },
    ]),
  )

test('nothing has happened', () => {
  const nothing = { state: 'pending', iteration: null, outcomes: [], failed: 0, rounds: null }
  expect(shown([])).toEqual({ files: nothing, read: nothing, check: nothing, last: nothing })
})

test('what happens now comes first, and rounds that failed are counted', () => {
  expect(
    shown([
      runNode('files', { state: 'running' }),
      runNode('read', { iteration: [0], state: 'completed', outcome: 'succeeded' }),
      runNode('check', { iteration: [0], state: 'failed', outcome: 'failed' }),
      runNode('read', { iteration: [1], state: 'completed', outcome: 'succeeded' }),
      runNode('check', { iteration: [1], state: 'running' }),
      runNode('read', { iteration: [2], state: 'completed', outcome: 'succeeded' }),
    ]),
  ).toEqual({
    files: { state: 'running', iteration: [], outcomes: [], failed: 0, rounds: 1 },
    read: { state: 'completed', iteration: [2], outcomes: ['succeeded'], failed: 0, rounds: null },
    check: { state: 'running', iteration: [1], outcomes: ['failed'], failed: 1, rounds: null },
    last: { state: 'pending', iteration: null, outcomes: [], failed: 0, rounds: null },
  })
})

test('rounds that are not listed were earlier ones', () => {
  const { files } = shown([runNode('files', { state: 'completed' }), runNode('check', { iteration: [9_999], state: 'completed' })])
  expect(files?.rounds).toBe(10_000)
})
