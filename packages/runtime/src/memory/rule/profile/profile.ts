// The seven parts of the user model, from what the user said. Every signal has its evidence; a part without evidence stays empty. Pure.
import type { Memory, Profile, Signal, UserModel } from '@tandem/contract/memory'
import { atOnce, type SlicedWork } from '../../../scheduler/slices.ts'
import { memoized } from '../memoized.ts'
import { type CadenceInput, cadenceSignals } from './cadence.ts'
import { type ProfilePart, partRows } from './part-words.ts'
import { evidenceOf, mergedSignals, sureness } from './signals.ts'

export type UserModelParts = Pick<UserModel, 'preference_signals' | ProfilePart>

const summaryLines = 5

/**
 * What `memories` say of the user of `previous`. Memories that conflict with a higher-ranked one must be left out by the caller: only what
 * can be recalled may be in a profile.
 */
export function profilesFrom(memories: readonly Memory[], previous: UserModel, cadence?: CadenceInput): UserModelParts {
  return atOnce(findProfiles(memories, previous, cadence))
}

export function* findProfiles(memories: readonly Memory[], previous: UserModel, cadence?: CadenceInput): SlicedWork<UserModelParts> {
  const preferences: Signal[] = []
  const signals: Record<ProfilePart, Signal[]> = {
    ...{ habit_profile: [], goal_profile: [], persona_profile: [], communication_profile: [], risk_profile: [] },
    cadence_profile: cadence ? cadenceSignals(cadence) : [],
  }
  for (const memory of memories) {
    yield
    if (!isEvidence(memory, previous)) continue
    if (memory.memory_kind === 'preference') preferences.push(signalOf(memory, 'preference'))
    for (const [part, name] of namesIn(memory.content)) signals[part].push(signalOf(memory, name))
  }
  const profile = function* (part: ProfilePart): SlicedWork<Profile> {
    yield
    return profileOf(mergedSignals(signals[part]))
  }
  return {
    preference_signals: mergedSignals(preferences),
    habit_profile: yield* profile('habit_profile'),
    goal_profile: yield* profile('goal_profile'),
    persona_profile: yield* profile('persona_profile'),
    communication_profile: yield* profile('communication_profile'),
    cadence_profile: yield* profile('cadence_profile'),
    risk_profile: yield* profile('risk_profile'),
  }
}

/** Only the user's own words, about the user, that hold, for this agent, and here if they hold only in one conversation. */
function isEvidence(memory: Memory, { agent_id, conversation_id }: Pick<UserModel, 'agent_id' | 'conversation_id'>): boolean {
  const isOwn = memory.agent_id === null || memory.agent_id === agent_id
  const isHere = !memory.only_in_conversation || (memory.conversation_id !== null && memory.conversation_id === conversation_id)
  return memory.state === 'active' && memory.authority === 'person' && memory.subject === 'user' && isOwn && isHere
}

/** What a text is about in each part; the first row that matches counts. */
const namesIn = memoized((content): ReadonlyMap<ProfilePart, string> => {
  const matching = partRows.filter(({ words }) => words.test(content))
  return new Map(matching.toReversed().map(({ part, name }) => [part, name]))
})

function signalOf(memory: Memory, name: string): Signal {
  return { name: memory.slot ?? name, value: line(memory.content), confidence: sureness(memory), evidence: evidenceOf(memory) }
}

function profileOf(signals: Signal[]): Profile {
  return {
    summary: signals
      .slice(0, summaryLines)
      .map(({ value }) => value)
      .join('\n'),
    signals,
  }
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}
