import type { TeamMember } from '@tandem/contract/team'
import { teamWords } from '../../strings/team.ts'
import { words } from '../../strings/window.ts'
import { Badge, type Tone } from '../badge.tsx'
import { runTones } from '../state-tones.ts'

const waits: Readonly<Partial<Record<NonNullable<TeamMember['pause_reason']>, Tone>>> = {
  approval: 'warn',
  question: 'warn',
  budget: 'bad',
  child: 'cloud',
  workflow: 'cloud',
  time: 'cloud',
}

/** The state of a member. One that waits is not shown as paused: a user need not, and cannot, resume it. */
export function MemberBadge({ state, pause_reason }: Pick<TeamMember, 'state' | 'pause_reason'>) {
  const tone = state === 'paused' && pause_reason !== null ? waits[pause_reason] : undefined
  if (tone === undefined) return <Badge tone={runTones[state]}>{words.cards.run[state]}</Badge>
  const names: Readonly<Record<string, string>> = teamWords.states
  return <Badge tone={tone}>{names[pause_reason ?? ''] ?? words.cards.run.paused}</Badge>
}
