import type { Agents } from '../agent/agents.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import type { Policies } from '../policy/policies.ts'
import type { WorkflowRunRows } from './record/workflow-run-rows.ts'

export interface OwnerLayerPorts {
  readonly policies: Pick<Policies, 'of'>
  readonly agents: Pick<Agents, 'get'>
  readonly journal: Pick<Journal, 'run'>
  readonly rows: Pick<WorkflowRunRows, 'get' | 'workflowRunOf'>
}

/** An agent that works on a node may do no more than the owner of the workflow. */
export function ownerLayer({ policies, agents, journal, rows }: OwnerLayerPorts): PolicyLayer {
  /** A run keeps its conversation, and a workflow run its owner. */
  const owners = new Map<string, string | null>()

  function ownerOf(run_id: string): string | null {
    const known = owners.get(run_id)
    if (known !== undefined) return known
    const conversation_id = journal.run(run_id)?.conversation_id
    const workflow_run_id = conversation_id === undefined ? undefined : rows.workflowRunOf(conversation_id)
    const owner = workflow_run_id === undefined ? null : (rows.get(workflow_run_id)?.owner_agent_id ?? null)
    if (owners.size >= mostKept) owners.clear()
    owners.set(run_id, owner)
    return owner
  }

  return {
    name: 'owner of the workflow',
    kind: 'intersection',
    apply(policy, { agent_id, run_id, tool }) {
      const owner = run_id === null ? null : ownerOf(run_id)
      if (owner === null || owner === agent_id) return policy
      const sandbox_mode = agents.get(owner)?.agent.sandbox_mode ?? policy.sandbox_mode
      return { ...policies.of(owner, tool).policy, sandbox_mode }
    },
  }
}

const mostKept = 1_000
