import type { WorkflowNodeState } from '@tandem/contract/workflow-run'
import type { GroupedNode } from './node-groups.ts'

/** What a user should know first. A round is completed when nothing else is to be said. */
const order = ['failed', 'waiting', 'running', 'compensated', 'pending'] as const satisfies readonly WorkflowNodeState[]

/** The state of a round as a whole. */
export function roundState(nodes: readonly GroupedNode[]): WorkflowNodeState {
  const states = new Set(statesOf(nodes))
  return order.find((state) => states.has(state)) ?? (states.size === 1 && states.has('skipped') ? 'skipped' : 'completed')
}

function statesOf(nodes: readonly GroupedNode[]): readonly WorkflowNodeState[] {
  return nodes.flatMap(({ record, rounds }) => [record?.state ?? 'pending', ...rounds.flatMap((round) => statesOf(round.nodes))])
}
