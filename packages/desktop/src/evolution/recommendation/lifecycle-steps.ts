// The states a recommendation has had, in order, and those that are still ahead. Pure.
import {
  type SkillRecommendation,
  type SkillRecommendationState,
  type SkillRecommendationValidation,
  skillRecommendationStates,
} from '@tandem/contract/skill-recommendation'

export interface LifecycleStep {
  readonly state: SkillRecommendationState
  /** When it was reached; null if it is ahead. */
  readonly at: string | null
  readonly isCurrent: boolean
}

const ends: ReadonlySet<SkillRecommendationState> = new Set(['rolled_back', 'retired'])
const chain = skillRecommendationStates.filter((state) => !ends.has(state))

export function lifecycleSteps(
  { state, created_at, updated_at }: Pick<SkillRecommendation, 'state' | 'created_at' | 'updated_at'>,
  validations: readonly Pick<SkillRecommendationValidation, 'from_state' | 'to_state' | 'created_at'>[],
): readonly LifecycleStep[] {
  const reached = new Map<SkillRecommendationState, string>([['draft_pending', created_at]])
  for (const { from_state, to_state, created_at: at } of validations) if (from_state !== to_state) reached.set(to_state, at)
  if (!reached.has(state)) reached.set(state, updated_at)
  const had = [...reached].map(([one, at]) => ({ state: one, at, isCurrent: one === state }))
  if (ends.has(state)) return had
  const ahead = chain.slice(chain.indexOf(state) + 1).filter((one) => !reached.has(one))
  return [...had, ...ahead.map((one) => ({ state: one, at: null, isCurrent: false }))]
}
