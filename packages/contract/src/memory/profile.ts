// Who the user is to this agent, and who the agent is: both bootstrapped when an agent or a conversation is made.
import Type, { type Static } from 'typebox'
import { Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { evidenceSources } from './source.ts'

/** What a claim rests on, with the words that bear it out. */
export const Evidence = object({
  source: oneOf(evidenceSources),
  /** Of the message, step, call, …; of a file its path. */
  id: Type.String({ minLength: 1, maxLength: 4_096 }),
  excerpt: Line,
})
export type Evidence = Static<typeof Evidence>

export const Signal = object({ name: Line, value: Line, confidence: Fraction, evidence: listOf(Evidence, { maxItems: 20 }) })
export type Signal = Static<typeof Signal>

const Signals = listOf(Signal, { maxItems: 200 })

export const Profile = object({ summary: Text, signals: Signals })
export type Profile = Static<typeof Profile>

const owner = { id: Id, agent_id: Key, conversation_id: nullable(Id) }
const stamps = { created_at: Timestamp, updated_at: Timestamp, version: Version }

export const UserModel = object({
  ...owner,
  preference_signals: Signals,
  habit_profile: Profile,
  goal_profile: Profile,
  persona_profile: Profile,
  communication_profile: Profile,
  cadence_profile: Profile,
  risk_profile: Profile,
  ...stamps,
})
export type UserModel = Static<typeof UserModel>

export const AgentIdentityProfile = object({
  ...owner,
  name: Line,
  role: Line,
  purpose: Text,
  tone: Line,
  principles: listOf(Line, { maxItems: 50 }),
  boundaries: listOf(Line, { maxItems: 50 }),
  signals: Signals,
  ...stamps,
})
export type AgentIdentityProfile = Static<typeof AgentIdentityProfile>
