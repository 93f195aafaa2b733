// The canaries of an agent as one layer of its policy, on this device. A canary applies from the next turn of a run, until it is rolled back
// or kept. A field that a person has changed since keeps the person's value.
import type { PolicyCandidate, PolicyChange } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import type { CallPolicy } from '../../call/call-policy.ts'
import type { PolicyLayer, PolicySubject } from '../../feature/policy-layer.ts'
import type { Policies } from '../../policy/policies.ts'
import type { Candidates } from './candidates.ts'
import { addedRules, changedPolicy, isFieldChange } from './rule/policy-change.ts'
import type { TurnCanaries } from './turn-canaries.ts'

export interface OverlayPorts {
  readonly candidates: Pick<Candidates, 'applied'>
  readonly turns: Pick<TurnCanaries, 'latest'>
  readonly policies: Pick<Policies, 'of'>
}

export function canaryLayer({ candidates, turns, policies }: OverlayPorts): PolicyLayer {
  function inForce({ agent_id, run_id, tool, next_turn }: PolicySubject): readonly PolicyCandidate[] {
    const applied = candidates
      .applied(agent_id)
      .filter((candidate) => isUsable(candidate) && candidate.changes.some((one) => one.tool === tool))
    if (applied.length === 0 || run_id === null || next_turn) return applied
    const ids = turns.latest(run_id)
    return applied.filter(({ id }) => ids.includes(id))
  }

  return {
    name: 'canary',
    kind: 'overlay',
    apply(policy, subject) {
      const changes = inForce(subject).flatMap((candidate) => current(candidate.changes, subject.tool, policy))
      return changes.length === 0 ? policy : changedPolicy(policy, subject.tool, changes)
    },
    approved(subject) {
      const approved = inForce(subject).filter(({ approved_at }) => approved_at !== null)
      const [first] = approved
      if (!first) return null
      // The layer does not change the mode.
      const policy: CallPolicy = { ...policies.of(subject.agent_id, subject.tool).policy, sandbox_mode: 'strict' }
      const changes = approved.flatMap((candidate) => candidate.changes)
      return {
        approval_id: first.id,
        policy: changedPolicy(policy, subject.tool, current(changes, subject.tool, policy)),
        remembered: addedRules(subject.tool, changes),
      }
    },
    remembered: (subject) => inForce(subject).flatMap(({ changes }) => addedRules(subject.tool, changes)),
    canaries: (agent_id) =>
      candidates
        .applied(agent_id)
        .filter(isUsable)
        .map(({ id }) => id),
  }
}

/** What allows more is used only with its approval. */
function isUsable({ widens, approved_at }: PolicyCandidate): boolean {
  return !widens || approved_at !== null
}

function current(changes: readonly PolicyChange[], tool: string, policy: CallPolicy): readonly PolicyChange[] {
  return changes.filter((change) => change.tool === tool && isFieldChange(change) && canonicalJson(policy[change.field]) === change.from)
}
