import type { WorkflowDefinition } from '../schema.ts'
import { checkSubworkflowInputs } from './check-subworkflow-inputs.ts'
import type { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'

/** The other workflows, as far as they are known where the check is made. */
export interface KnownWorkflows {
  /** The id of the workflow that is checked; null if it is new. */
  readonly workflow_id: string | null
  definitionOf(workflow_id: string): WorkflowDefinition | undefined
}

export function checkSubworkflows(definition: WorkflowDefinition, graph: WorkflowGraph, others: KnownWorkflows): WorkflowIssue[] {
  return [...cycles(definition, others), ...checkSubworkflowInputs(definition, graph, others.definitionOf)]
}

/** A workflow that starts itself, through others or not, would never end. */
function cycles({ nodes }: WorkflowDefinition, { workflow_id, definitionOf }: KnownWorkflows): WorkflowIssue[] {
  if (workflow_id === null) return []
  return nodes.flatMap((node, at) => {
    if (node.kind !== 'workflow' || !leadsTo(workflow_id, node.workflow_id, definitionOf)) return []
    const message =
      node.workflow_id === workflow_id
        ? 'a workflow cannot start itself'
        : `the workflow ${node.workflow_id} starts this one, so neither would end`
    return [{ pointer: `/nodes/${at}/workflow_id`, message }]
  })
}

function leadsTo(wanted: string, from: string, definitionOf: KnownWorkflows['definitionOf']): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === wanted) return true
    if (seen.has(next)) continue
    seen.add(next)
    for (const node of definitionOf(next)?.nodes ?? []) if (node.kind === 'workflow') open.push(node.workflow_id)
  }
  return false
}
