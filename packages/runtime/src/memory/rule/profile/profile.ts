// The seven parts of the user model, from what the user said. Every signal has its evidence; a part without evidence stays empty. Pure.
import type { Memory, Profile, Signal, UserModel } from '@tandem/contract/memory'
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
  const known = memories.filter((memory) => isEvidence(memory, previous))
  const part = (name: ProfilePart, more: readonly Signal[] = []): Profile =>
    profileOf(mergedSignals([...known.flatMap((memory) => signalsOf(memory, name)), ...more]))
  return {
    preference_signals: mergedSignals(
      known.filter(({ memory_kind }) => memory_kind === 'preference').map((memory) => signalOf(memory, 'preference')),
    ),
    habit_profile: part('habit_profile'),
    goal_profile: part('goal_profile'),
    persona_profile: part('persona_profile'),
    communication_profile: part('communication_profile'),
    cadence_profile: part('cadence_profile', cadence ? cadenceSignals(cadence) : []),
    risk_profile: part('risk_profile'),
  }
}

/** Only the user's own words, about the user, that hold, for this agent, and here if they hold only in one conversation. */
function isEvidence(memory: Memory, { agent_id, conversation_id }: Pick<UserModel, 'agent_id' | 'conversation_id'>): boolean {
  const isOwn = memory.agent_id === null || memory.agent_id === agent_id
  const isHere = !memory.only_in_conversation || (memory.conversation_id !== null && memory.conversation_id === conversation_id)
  return memory.state === 'active' && memory.authority === 'person' && memory.subject === 'user' && isOwn && isHere
}

function signalsOf(memory: Memory, part: ProfilePart): Signal[] {
  const name = namesIn(memory.content).get(part)
  return name === undefined ? [] : [signalOf(memory, name)]
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
