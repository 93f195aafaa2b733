import type { Transitions } from '../transition/index.ts'

export const policyCandidateStates = [
  'shadow_pending',
  'shadow_passed',
  'shadow_failed',
  'canary_ready',
  'canary_applied',
  'rolled_back',
] as const
export type PolicyCandidateState = (typeof policyCandidateStates)[number]

export const policyCandidateTriggers = ['pass_shadow', 'fail_shadow', 'prepare_canary', 'apply_canary', 'rollback'] as const
export type PolicyCandidateTrigger = (typeof policyCandidateTriggers)[number]

export const policyCandidateTransitions = {
  noun: 'policy_candidate',
  states: policyCandidateStates,
  triggers: policyCandidateTriggers,
  initial: 'shadow_pending',
  rows: [
    { from: ['shadow_pending'], on: 'pass_shadow', to: 'shadow_passed' },
    { from: ['shadow_pending'], on: 'fail_shadow', to: 'shadow_failed' },
    { from: ['shadow_passed'], on: 'prepare_canary', to: 'canary_ready' },
    { from: ['canary_ready'], on: 'apply_canary', to: 'canary_applied' },
    { from: ['shadow_passed', 'canary_ready', 'canary_applied'], on: 'rollback', to: 'rolled_back' },
  ],
} satisfies Transitions<PolicyCandidateState, PolicyCandidateTrigger>
