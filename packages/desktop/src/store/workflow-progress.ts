// How far a workflow run is.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'

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

/** The states of nodes that have not ended. */
export const openStates: readonly WorkflowRunNode['state'][] = ['pending', 'running', 'waiting']

export function isForPerson(waits_for: WorkflowRunNode['waits_for']): boolean {
  return waits_for === 'approval' || waits_for === 'question' || waits_for === 'person'
}
