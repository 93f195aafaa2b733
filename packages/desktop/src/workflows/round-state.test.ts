import type { WorkflowRunNode } from '@tandem/contract/command'
import type { WorkflowNodeState } from '@tandem/contract/workflow-run'
import { expect, test } from 'vitest'
import type { GroupedNode } from './node-groups.ts'
import { roundState } from './round-state.ts'

function grouped(state: WorkflowNodeState | null, rounds: GroupedNode['rounds'] = []): GroupedNode {
  const record: WorkflowRunNode | null = state && {
    ...{ node_id: 'a', iteration: [0], state, outcome: null, attempt: 1, waits_for: null, until: null, reason: null },
    ...{ failure_contract: null, call_id: null, child_run_id: null, started_at: null, ended_at: null, tokens: null },
  }
  return { node_id: 'a', node: null, iteration: [0], record, rounds }
}

test.each([
  ['failed', ['completed', 'failed', 'waiting']],
  ['waiting', ['running', 'waiting', null]],
  ['running', ['completed', 'running', null]],
  ['pending', ['completed', null]],
  ['completed', ['completed', 'skipped']],
  ['skipped', ['skipped', 'skipped']],
] as const)('%s: %j', (state, nodes) => {
  expect(roundState(nodes.map((one) => grouped(one)))).toBe(state)
})

test('a round in a round counts', () => {
  const inner = [{ iteration: [0, 0], nodes: [grouped('failed')] }]
  expect(roundState([grouped('running', inner)])).toBe('failed')
})
