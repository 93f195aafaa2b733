// What a definition lets Tandem do: the calls with their arguments, the tasks of agents, and other workflows.
import type { WorkflowDefinition } from '@tandem/contract/workflow'

export interface PlannedCall {
  readonly node_id: string
  readonly what: 'tool' | 'compensation' | 'agent' | 'workflow'
  /** The tool, or the id of the agent or the workflow; null for the agent that runs the workflow. */
  readonly name: string | null
  /** The arguments as JSON, or the task. */
  readonly text: string
}

export function plannedCalls({ nodes }: Pick<WorkflowDefinition, 'nodes'>): readonly PlannedCall[] {
  return nodes.flatMap((node): PlannedCall[] => {
    if (node.kind !== 'tool' && node.kind !== 'agent' && node.kind !== 'workflow') return []
    const { id: node_id, compensation } = node
    const undo: PlannedCall[] = compensation
      ? [{ node_id, what: 'compensation', name: compensation.tool, text: readable(compensation.arguments) }]
      : []
    if (node.kind === 'tool') return [{ node_id, what: 'tool', name: node.tool, text: readable(node.arguments) }, ...undo]
    if (node.kind === 'agent') return [{ node_id, what: 'agent', name: node.agent_id ?? null, text: node.prompt }, ...undo]
    return [{ node_id, what: 'workflow', name: node.workflow_id, text: readable(node.inputs) }, ...undo]
  })
}

function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    // A newer version may store something else.
    return json
  }
}
