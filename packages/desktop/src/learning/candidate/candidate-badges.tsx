import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { Badge } from '../../part/badge.tsx'
import { learningWords } from '../../strings/learning.ts'
import { candidateTones } from '../tones.ts'

const told = learningWords.candidates

/** Its state, and whether it allows more. */
export function CandidateBadges({ candidate: { state, adopted_at, widens } }: { candidate: PolicyCandidate }) {
  const isKept = state === 'canary_applied' && adopted_at !== null
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={candidateTones[state]}>{isKept ? told.kept : told.states[state]}</Badge>
      <Badge tone={widens ? 'bad' : 'plain'}>{widens ? told.widens : told.narrows}</Badge>
    </span>
  )
}
