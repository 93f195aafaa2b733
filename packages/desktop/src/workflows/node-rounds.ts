import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'

export interface ListedRound {
  readonly key: string
  /** As users count: from 1, outer loops first. Empty for a node in no loop. */
  readonly number: string
  readonly record: WorkflowRunNode
}

/** The listed rounds of one node, the latest first. */
export function listedRounds({ nodes }: Pick<WorkflowSnapshot, 'nodes'>, node_id: string): readonly ListedRound[] {
  return nodes
    .filter((record) => record.node_id === node_id)
    .toSorted((one, other) => compared(other.iteration, one.iteration))
    .map((record) => ({ key: roundKey(record), number: record.iteration.map((round) => round + 1).join('.'), record }))
}

export function roundKey({ iteration }: Pick<WorkflowRunNode, 'iteration'>): string {
  return iteration.join('.')
}

function compared(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((round, place) => round !== other[place])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
