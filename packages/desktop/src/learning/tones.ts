// The colors of verdicts and of the states of policy candidates.
import type { OutcomeVerdict } from '@tandem/contract/learning'
import type { PolicyCandidateState } from '@tandem/contract/policy-candidate'
import type { Tone } from '../part/badge.tsx'

export const verdictTones: Readonly<Record<OutcomeVerdict, Tone>> = { success: 'good', partial: 'warn', failure: 'bad' }

export const candidateTones: Readonly<Record<PolicyCandidateState, Tone>> = {
  shadow_pending: 'plain',
  shadow_passed: 'cloud',
  shadow_failed: 'plain',
  canary_ready: 'warn',
  canary_applied: 'good',
  rolled_back: 'bad',
}
