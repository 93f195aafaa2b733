import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { Badge } from '../../part/badge.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { stateTones } from '../tones.ts'

/** Its state, its kind, and whether it waits for the user. */
export function RecommendationBadges({ recommendation: { state, kind, asks } }: { recommendation: SkillRecommendation }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {asks !== null && <Badge tone="warn">{evolutionWords.needsYou}</Badge>}
      <Badge tone={stateTones[state]}>{evolutionWords.states[state]}</Badge>
      <Badge>{evolutionWords.kinds[kind]}</Badge>
    </span>
  )
}
