import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { evolutionEvents, reread_ms } from './evolution-events.ts'

const most = 50

/** Recommendations that wait for a person; null until they were read. */
export function useWaitingRecommendations(): readonly SkillRecommendation[] | null {
  const version = useNewestEventNumber(evolutionEvents)
  const { state } = useCommand(
    'skill_list_recommendations',
    { states: ['canary_ready', 'canary_applied'], limit: most },
    { version, every_ms: reread_ms },
  )
  return state.state === 'ready' ? state.value.items.filter(({ asks }) => asks !== null) : null
}
