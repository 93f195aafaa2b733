import type { Transitions } from '../transition/index.ts'

export const skillRecommendationStates = [
  'draft_pending',
  'draft_generated',
  'validated',
  'shadow_ready',
  'shadow_active',
  'canary_ready',
  'canary_applied',
  'live',
  'rolled_back',
  'retired',
] as const
export type SkillRecommendationState = (typeof skillRecommendationStates)[number]

export const skillRecommendationTriggers = [
  'generate_draft',
  'validate',
  'prepare_shadow',
  'apply_shadow',
  'prepare_canary',
  'apply_canary',
  'promote_to_live',
  'rollback',
  'retire',
] as const
export type SkillRecommendationTrigger = (typeof skillRecommendationTriggers)[number]

/**
 * `draft_pending` is the suggestion before its SKILL.md is written. The user may roll back anything that already affects runs
 * (`rollback`); a failure or restore automatically rolls back only `canary_applied` and `live`: `autoRollbackStates`.
 */
export const skillRecommendationTransitions = {
  noun: 'skill_recommendation',
  states: skillRecommendationStates,
  triggers: skillRecommendationTriggers,
  initial: 'draft_pending',
  rows: [
    { from: ['draft_pending'], on: 'generate_draft', to: 'draft_generated' },
    { from: ['draft_generated'], on: 'validate', to: 'validated' },
    { from: ['validated'], on: 'prepare_shadow', to: 'shadow_ready' },
    { from: ['shadow_ready'], on: 'apply_shadow', to: 'shadow_active' },
    { from: ['shadow_active'], on: 'prepare_canary', to: 'canary_ready' },
    { from: ['canary_ready'], on: 'apply_canary', to: 'canary_applied' },
    { from: ['canary_applied'], on: 'promote_to_live', to: 'live' },
    { from: ['shadow_active', 'canary_ready', 'canary_applied', 'live'], on: 'rollback', to: 'rolled_back' },
    {
      from: [
        'draft_pending',
        'draft_generated',
        'validated',
        'shadow_ready',
        'shadow_active',
        'canary_ready',
        'canary_applied',
        'live',
        'rolled_back',
      ],
      on: 'retire',
      to: 'retired',
    },
  ],
} satisfies Transitions<SkillRecommendationState, SkillRecommendationTrigger>

export const autoRollbackStates = ['canary_applied', 'live'] as const satisfies readonly SkillRecommendationState[]
