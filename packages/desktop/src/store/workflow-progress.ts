// How far a workflow run is, and what it is doing.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import { isLoop, type WorkflowNode } from '@tandem/contract/workflow'

type Run = Pick<WorkflowSnapshot, 'definition' | 'nodes' | 'counts'>

/** The nodes that no loop repeats: how often a loop repeats the others is not known before. */
export function workflowProgress({ definition, nodes, counts }: Run): { readonly done: number; readonly total: number } {
  if (definition === null) {
    const done = counts.completed + counts.failed + counts.skipped + counts.compensated
    return { done, total: done + counts.running + counts.waiting + counts.pending }
  }
  const done = nodes.filter(({ iteration, state }) => iteration.length === 0 && !openStates.includes(state)).length
  return { done, total: definition.nodes.filter(({ within }) => within === undefined).length }
}

export interface CurrentNode {
  /** Null if the definition is not on this device. */
  readonly node: WorkflowNode | null
  readonly record: WorkflowRunNode
}

/** What the run is doing: first what waits for a user, then what runs. Null if it does nothing. */
export function currentNode({ definition, nodes }: Omit<Run, 'counts'>): CurrentNode | null {
  const known = new Map(definition?.nodes.map((node) => [node.id, node]))
  const isWork = ({ node_id }: WorkflowRunNode) => {
    const node = known.get(node_id)
    return node === undefined || !isLoop(node)
  }
  const active = nodes.filter((record) => openStates.includes(record.state) && record.state !== 'pending').filter(isWork)
  const record = active.find(({ waits_for }) => isForPerson(waits_for)) ?? active.find(({ state }) => state === 'running') ?? active[0]
  return record === undefined ? null : { node: known.get(record.node_id) ?? null, record }
}

const openStates: readonly WorkflowRunNode['state'][] = ['pending', 'running', 'waiting']

export function isForPerson(waits_for: WorkflowRunNode['waits_for']): boolean {
  return waits_for === 'approval' || waits_for === 'question' || waits_for === 'person'
}
