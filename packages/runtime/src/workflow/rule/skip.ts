// Whether a node may be skipped, and which edges are followed then.
import { nodeOutcomes, type WorkflowDefinition, WorkflowGraph, type WorkflowOutcome } from '@tandem/contract/workflow'
import type { WorkflowRunRecord } from '@tandem/contract/workflow-run'

export interface Skip {
  readonly node_id: string
  readonly iteration: readonly number[]
  readonly outcome: WorkflowOutcome
}

/** Why this is not possible, whatever the state of the node is; null if it is. */
export function skipProblem(
  definition: WorkflowDefinition,
  { nodes }: Pick<WorkflowRunRecord, 'nodes'>,
  { node_id, iteration, outcome }: Skip,
): string | null {
  const graph = new WorkflowGraph(definition)
  const node = graph.node(node_id)
  if (!node) return `the workflow has no node ${node_id}`
  const loops = graph.loopsAround(node_id).length
  if (loops !== iteration.length)
    return loops === 0 ? `${node_id} is in no loop, so it has no rounds` : `${node_id} is in a loop: name one round of each loop around it`
  const isSameRound = (other: readonly number[]) => other.length === loops && other.every((round, at) => round === iteration[at])
  const hasBegun = [...nodes.values()].some((one) => graph.node(one.node_id)?.within === node.within && isSameRound(one.iteration))
  if (loops > 0 && !hasBegun) return `round ${iteration.map((round) => round + 1).join('.')} of ${node.within} has not begun`
  const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[node.kind]
  return outcomes.includes(outcome) ? null : `a node of kind ${node.kind} can only end with ${outcomes.join(' or ')}`
}
