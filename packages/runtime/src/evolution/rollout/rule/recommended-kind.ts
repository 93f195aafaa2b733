// What is recommended because of a gap. Pure.
import type { GapKind } from '@tandem/contract/learning'
import type { RecommendationKind } from '@tandem/contract/skill-recommendation'

/** Null if it is no matter of skills: knowledge becomes memory, and policies have candidates of their own. */
export function recommendedKind(gap_kind: GapKind, matching_skill: string | null): RecommendationKind | null {
  if (gap_kind === 'skill_gap') return matching_skill === null ? 'local_skill_draft' : 'bind_existing_skill'
  return gap_kind === 'workflow_gap' ? 'workflow' : null
}
