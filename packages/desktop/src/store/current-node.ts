// What a workflow run is doing.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import { isLoop, type WorkflowNode } from '@tandem/contract/workflow'
import { isForPerson, openStates } from './workflow-progress.ts'

export interface CurrentNode {
  /** Null if the definition is not on this device. */
  readonly node: WorkflowNode | null
  readonly record: WorkflowRunNode
}

/** What the run is doing: first what waits for a user, then what runs. Null if it does nothing. */
export function currentNode({ definition, nodes }: Pick<WorkflowSnapshot, 'definition' | 'nodes'>): CurrentNode | null {
  const known = new Map(definition?.nodes.map((node) => [node.id, node]))
  const isWork = ({ node_id }: WorkflowRunNode) => {
    const node = known.get(node_id)
    return node === undefined || !isLoop(node)
  }
  const active = nodes.filter((record) => openStates.includes(record.state) && record.state !== 'pending').filter(isWork)
  const record = active.find(({ waits_for }) => isForPerson(waits_for)) ?? active.find(({ state }) => state === 'running') ?? active[0]
  return record === undefined ? null : { node: known.get(record.node_id) ?? null, record }
}
