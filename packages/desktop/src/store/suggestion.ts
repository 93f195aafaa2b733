// Which recommendations a conversation shows: those that its runs led to, until the user dismisses them.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'

export type Suggestion = Pick<SkillRecommendation, 'id' | 'gap_analysis_id' | 'kind' | 'title' | 'state' | 'rollback_reason' | 'created_at'>

export function suggestionsOf<Noticed extends Suggestion & Pick<SkillRecommendation, 'conversation_id'>>(
  recommendations: readonly Noticed[],
  conversation_id: string,
): readonly Noticed[] {
  return recommendations.filter((one) => one.conversation_id === conversation_id && one.state !== 'retired')
}
