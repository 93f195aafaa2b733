// The parts of what is known about the user that have something in them. Pure.
import type { Profile, Signal, UserModel } from '@tandem/contract/memory'
import type { memoryWords } from '../../strings/memory.ts'

export interface ProfilePart {
  readonly name: keyof typeof memoryWords.profile.parts
  readonly summary: string
  readonly signals: readonly Signal[]
}

export function partsOf(model: UserModel): readonly ProfilePart[] {
  const of = (name: ProfilePart['name'], { summary, signals }: Profile): ProfilePart => ({ name, summary, signals })
  return [
    { name: 'preference_signals' as const, summary: '', signals: model.preference_signals },
    of('habit_profile', model.habit_profile),
    of('goal_profile', model.goal_profile),
    of('persona_profile', model.persona_profile),
    of('communication_profile', model.communication_profile),
    of('cadence_profile', model.cadence_profile),
    of('risk_profile', model.risk_profile),
  ].filter(({ summary, signals }) => summary !== '' || signals.length > 0)
}
