// What an agent knows about the user and about itself: both are bootstrapped when an agent or a conversation is created.
import Type, { type Static } from 'typebox'
import { Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { evidenceSources } from './source.ts'

/** The source of a claim, with the text that supports it. */
export const Evidence = object({
  source: oneOf(evidenceSources),
  /** The id of the message, step, call, …; for a file, its path. */
  id: Type.String({ minLength: 1, maxLength: 4_096 }),
  /** The conversation of a message, if it is known. */
  conversation_id: Type.Optional(Id),
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
  /** Null until something shows it. */
  tone: nullable(Line),
  principles: listOf(Line, { maxItems: 50 }),
  boundaries: listOf(Line, { maxItems: 50 }),
  signals: Signals,
  ...stamps,
})
export type AgentIdentityProfile = Static<typeof AgentIdentityProfile>
