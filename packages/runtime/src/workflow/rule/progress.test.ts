import { nodeKey, type WorkflowNodeState, workflowNodeStates } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import { isWorthTelling, progressOf } from './progress.ts'

const definition = {
  nodes: [
    { id: 'a', kind: 'wait' as const, seconds: 0 },
    { id: 'loop', kind: 'repeat' as const, most_rounds: 3, until: { left: '1', comparison: 'exists' as const } },
    { id: 'inner', kind: 'wait' as const, seconds: 0, within: 'loop' },
  ],
}

const run = (states: Record<string, WorkflowNodeState>) => ({
  nodes: new Map(Object.entries(states).map(([key, state]) => [key, { state }])) as never,
})

test('counts the nodes that no loop repeats, and those of them that have ended', () => {
  expect(progressOf(definition, run({}))).toEqual({ done: 0, total: 2 })
  const states = { [nodeKey('a', [])]: 'completed', [nodeKey('loop', [])]: 'running', [nodeKey('inner', [0])]: 'completed' } as const
  expect(progressOf(definition, run(states))).toEqual({ done: 1, total: 2 })
})

test.each(workflowNodeStates)('a node that is %s', (state) => {
  const hasEnded = ['completed', 'failed', 'skipped', 'compensated'].includes(state)
  expect(progressOf(definition, run({ [nodeKey('a', [])]: state })).done).toBe(hasEnded ? 1 : 0)
})

test('is told at most ten times, however many nodes there are', () => {
  for (const total of [0, 1, 3, 10, 97, 500]) {
    const told = Array.from({ length: total }, (_, done) => isWorthTelling({ done, total }, { done: done + 1, total })).filter(Boolean)
    expect(told.length).toBe(Math.min(10, total))
  }
})
