// What a person can do with a policy candidate, by its state. Derived from the table of transitions.
import { type PolicyCandidate, type PolicyCandidateTrigger, policyCandidateTransitions } from '@tandem/contract/policy-candidate'
import { transition } from '@tandem/contract/transition'

export type CandidateAction = 'validate' | 'prepare' | 'apply' | 'keep' | 'rollback'

const triggers = [
  ['validate', 'pass_shadow'],
  ['prepare', 'prepare_canary'],
  ['apply', 'apply_canary'],
  ['rollback', 'rollback'],
] as const satisfies readonly (readonly [CandidateAction, PolicyCandidateTrigger])[]

export function actionsOf({ state, adopted_at }: Pick<PolicyCandidate, 'state' | 'adopted_at'>): readonly CandidateAction[] {
  const possible = triggers.filter(([, on]) => transition(policyCandidateTransitions, state, on).ok).map(([action]) => action)
  return state === 'canary_applied' && adopted_at === null ? ['keep', ...possible] : possible
}
