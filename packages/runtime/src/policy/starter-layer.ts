// What a run that another run started may do no more than: what the run that started it may do, and so on up to the first one.
import { isAbsolute, relative } from 'node:path'
import type { CallPolicy } from '../call/call-policy.ts'
import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import { isInside } from '../path/inside.ts'
import type { CallPolicies } from './call-policies.ts'

export interface StarterLayerPorts {
  /** The run that started this one; null or undefined if a person, a schedule or a task did. */
  starterOf(run_id: string): string | null | undefined
  readonly journal: Pick<Journal, 'run'>
  readonly agents: { get(agent_id: string): unknown }
  callPolicies(): Pick<CallPolicies, 'of'>
}

const mostKept = 1_000

export function starterLayer({ starterOf, journal, agents, callPolicies }: StarterLayerPorts): PolicyLayer {
  /** What a run was started by does not change. */
  const known = new Map<string, string | null>()

  function knownStarterOf(run_id: string): string | null {
    const found = known.get(run_id)
    if (found !== undefined) return found
    const starter = starterOf(run_id) ?? null
    if (known.size >= mostKept) known.clear()
    // A run that has just been created may not be known as somebody's yet.
    if (journal.run(run_id)) known.set(run_id, starter)
    return starter
  }

  return {
    name: 'the run that started it',
    kind: 'intersection',
    apply(policy, { run_id, tool }) {
      const starter = run_id === null ? null : knownStarterOf(run_id)
      if (starter === null) return policy
      const run = journal.run(starter)
      // What an agent that is gone allowed is no longer known.
      if (!run || !agents.get(run.agent_id)) return { ...policy, approval_mode: 'deny' }
      return fromItsFolder(callPolicies().of(run, tool).policy, run.workspace)
    },
  }
}

/** A member of a team may work in a copy of the folder: a path in the folder is the same path in the copy. */
function fromItsFolder(policy: CallPolicy, workspace: string): CallPolicy {
  const { roots, globs } = policy.fs_scope
  const named = roots.map((root) => (isAbsolute(root) && isInside(root, workspace) ? relative(workspace, root) || '.' : root))
  return { ...policy, fs_scope: { roots: named, globs } }
}
