import type { SandboxMode } from '@tandem/contract/tool'
import type { Agents } from '../agent/agents.ts'
import type { CallPolicy } from '../call/call-policy.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import type { Policies } from '../policy/policies.ts'
import { stricter } from '../policy/strictness.ts'
import type { WorkflowRunRows } from './record/workflow-run-rows.ts'

export interface OwnerLayerPorts {
  readonly policies: Pick<Policies, 'of'>
  readonly agents: Pick<Agents, 'get'>
  readonly journal: Pick<Journal, 'run'>
  readonly rows: Pick<WorkflowRunRows, 'get' | 'workflowRunOf'>
}

interface Starter {
  readonly agent_id: string
  readonly sandbox_mode: SandboxMode
}

/**
 * What a run may do no more than: an agent that works on a node, no more than the owner of the workflow; a workflow that an agent started, no
 * more than the run of that agent.
 */
export function ownerLayer({ policies, agents, journal, rows }: OwnerLayerPorts): PolicyLayer {
  /** What a run was started by does not change. */
  const known = new Map<string, readonly Starter[]>()

  /** The run that started this one; undefined if a person or a task did. */
  function starterOf(run_id: string): string | null | undefined {
    const run = journal.run(run_id)
    if (!run) return undefined
    if (run.workflow_run_id !== null) return rows.get(run.workflow_run_id)?.origin_run_id
    const workflow_run_id = rows.workflowRunOf(run.conversation_id)
    return workflow_run_id === undefined ? undefined : rows.get(workflow_run_id)?.run_id
  }

  function startersOf(run_id: string): readonly Starter[] {
    const found = known.get(run_id)
    if (found) return found
    const starters: Starter[] = []
    for (let next = starterOf(run_id); next != null; next = starterOf(next)) {
      const run = journal.run(next)
      if (run) starters.push({ agent_id: run.agent_id, sandbox_mode: run.sandbox_mode })
    }
    if (known.size >= mostKept) known.clear()
    known.set(run_id, starters)
    return starters
  }

  return {
    name: 'owner of the workflow',
    kind: 'intersection',
    apply(policy, { agent_id, run_id, tool }) {
      const all = (run_id === null ? [] : startersOf(run_id)).map(({ agent_id: starter, sandbox_mode }): CallPolicy => {
        if (starter === agent_id) return { ...policy, sandbox_mode }
        // What an agent that is gone allowed is no longer known.
        if (!agents.get(starter)) return { ...policy, approval_mode: 'deny' }
        return { ...policies.of(starter, tool).policy, sandbox_mode }
      })
      return all.length === 0 ? policy : all.reduce(stricter)
    },
  }
}

const mostKept = 1_000
