import type { SkillRecommendationState } from '@tandem/contract/skill-recommendation'
import type { Tone } from '../part/badge.tsx'

export const stateTones: Readonly<Record<SkillRecommendationState, Tone>> = {
  draft_pending: 'plain',
  draft_generated: 'plain',
  validated: 'plain',
  shadow_ready: 'plain',
  shadow_active: 'cloud',
  canary_ready: 'cloud',
  canary_applied: 'cloud',
  live: 'good',
  rolled_back: 'bad',
  retired: 'plain',
}
