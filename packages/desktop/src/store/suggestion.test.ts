import { type SkillRecommendation, skillRecommendationStates } from '@tandem/contract/skill-recommendation'
import { expect, test } from 'vitest'
import { suggestionsOf } from './suggestion.ts'

const one = (state: SkillRecommendation['state'], conversation_id = 'here') => ({
  ...{
    id: `${state} ${conversation_id}`,
    conversation_id,
    gap_analysis_id: 'gap',
    kind: 'workflow' as const,
    title: 'Weekly report',
    state,
  },
  ...{ rollback_reason: null, created_at: '2026-01-01T00:00:00.000Z' },
})

test.each(skillRecommendationStates)('one that is %s is shown where it was noticed, unless it was retired', (state) => {
  const recommendation = one(state)
  expect(suggestionsOf([recommendation, one(state, 'elsewhere')], 'here')).toEqual(state === 'retired' ? [] : [recommendation])
})
