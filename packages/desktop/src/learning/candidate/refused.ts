import type { PolicyCandidateValidation } from '@tandem/contract/policy-candidate'

/** An attempt that the state of the candidate did not allow. A test that stays in its state was inconclusive. */
export function isRefused({ stage, outcome, from_state, to_state }: PolicyCandidateValidation): boolean {
  return outcome === 'failed' && from_state === to_state && (stage !== 'shadow' || from_state !== 'shadow_pending')
}
