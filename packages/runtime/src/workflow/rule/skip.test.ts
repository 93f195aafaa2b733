import type { WorkflowDefinition, WorkflowOutcome } from '@tandem/contract/workflow'
import { nodeKey, pendingNode } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import { skipProblem } from './skip.ts'

const definition: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'sure', kind: 'approval', message: 'Go on?' },
    { id: 'each', kind: 'for_each', items: '[1,2,3]', concurrency: 1 },
    { id: 'ask', kind: 'question', within: 'each', question: 'Which?' },
    { id: 'then', kind: 'wait', within: 'each', seconds: 0 },
  ],
  edges: [{ from: 'ask', to: 'then' }],
}
const begun = ['sure', 'each'].map((id) => pendingNode(id, [])).concat(pendingNode('ask', [0]))
const run = { nodes: new Map(begun.map((node) => [nodeKey(node.node_id, node.iteration), node])) }

function problem(node_id: string, iteration: readonly number[], outcome: WorkflowOutcome = 'succeeded'): string | null {
  return skipProblem(definition, run, { node_id, iteration, outcome })
}

test('a node is skipped in a round that has begun', () => {
  expect([problem('ask', [0]), problem('then', [0]), problem('each', []), problem('sure', [], 'denied')]).toEqual([null, null, null, null])
})

test('a round that has not begun would otherwise begin with all rounds before it, at once', () => {
  expect(problem('ask', [1])).toBe('round 2 of each has not begun')
  expect(problem('ask', [Number.MAX_SAFE_INTEGER])).toContain('has not begun')
})

test('a node has one round for each loop that it is in', () => {
  const inLoop = 'ask is in a loop: name one round of each loop around it'
  expect([problem('ask', []), problem('ask', [0, 0]), problem('each', [0]), problem('none', [])]).toEqual([
    inLoop,
    inLoop,
    'each is in no loop, so it has no rounds',
    'the workflow has no node none',
  ])
})

test('an outcome that no edge can follow would silently skip everything after the node', () => {
  expect(problem('sure', [])).toBe('a node of kind approval can only end with approved or denied')
  expect(problem('ask', [0], 'true')).toBe('a node of kind question can only end with succeeded or failed')
})
