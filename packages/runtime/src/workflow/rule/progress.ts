// How far a workflow run is, and when that is worth a step in the conversations that show it.
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeState, type WorkflowRunRecord } from '@tandem/contract/workflow-run'

/** Of the nodes that no loop repeats. */
export interface WorkflowProgress {
  readonly done: number
  readonly total: number
}

const endStates: ReadonlySet<WorkflowNodeState> = new Set(['completed', 'failed', 'skipped', 'compensated'])

type Nodes = Pick<WorkflowRunRecord, 'nodes'>

export function hasEnded({ nodes }: Nodes, node_id: string): boolean {
  return endStates.has(nodes.get(nodeKey(node_id, []))?.state ?? 'pending')
}

export function progressOf({ nodes }: Pick<WorkflowDefinition, 'nodes'>, run: Nodes): WorkflowProgress {
  const top = nodes.filter(({ within }) => within === undefined)
  return { done: top.filter(({ id }) => hasEnded(run, id)).length, total: top.length }
}

/** At each tenth of the nodes, so at most ten times however many there are. */
export function isWorthTelling(before: WorkflowProgress, after: WorkflowProgress): boolean {
  return tenth(before) !== tenth(after)
}

function tenth({ done, total }: WorkflowProgress): number {
  return total === 0 ? 0 : Math.floor((done * 10) / total)
}
