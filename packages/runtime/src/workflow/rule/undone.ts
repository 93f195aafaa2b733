// What a restore means for the nodes, and which effects are taken back when a workflow fails or is canceled.
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import type { WorkflowNodeRecord, WorkflowRunRecord } from '@tandem/contract/workflow-run'

/** The nodes to be reset: those whose call was undone, those that have ended after the first of them had started, and those that it led to. */
export function nodesToReset(
  { nodes }: Pick<WorkflowRunRecord, 'nodes'>,
  stands: (call_id: string, hasEnded: boolean) => boolean,
): readonly WorkflowNodeRecord[] {
  const all = [...nodes.values()].filter(({ state }) => state !== 'pending')
  const undone = all.filter(({ call_id, ended_seq }) => call_id !== null && !stands(call_id, ended_seq !== null))
  if (undone.length === 0) return []
  const [started, ended] = [least(undone, 'started_seq'), least(undone, 'ended_seq')]
  return all.filter(
    (node) => undone.includes(node) || (node.ended_seq === null ? (node.started_seq ?? 0) > ended : node.ended_seq > started),
  )
}

function least(nodes: readonly WorkflowNodeRecord[], field: 'started_seq' | 'ended_seq'): number {
  return nodes.reduce((found, node) => Math.min(found, node[field] ?? found), Number.POSITIVE_INFINITY)
}

export type Compensated = Extract<WorkflowNode, { compensation?: unknown }>

/** The nodes whose effects are to be taken back, the last one first. */
export function toCompensate(
  { nodes }: Pick<WorkflowRunRecord, 'nodes'>,
  definition: Pick<WorkflowDefinition, 'nodes'>,
): readonly { readonly record: WorkflowNodeRecord; readonly node: Compensated }[] {
  const withEffects = new Map(definition.nodes.flatMap((node) => ('compensation' in node && node.compensation ? [[node.id, node]] : [])))
  return [...nodes.values()]
    .flatMap((record) => {
      const node = record.state === 'completed' ? withEffects.get(record.node_id) : undefined
      return node ? [{ record, node }] : []
    })
    .sort((one, other) => (other.record.ended_seq ?? 0) - (one.record.ended_seq ?? 0))
}
