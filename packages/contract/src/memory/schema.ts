import Type, { type Static } from 'typebox'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { distillerNames, proceduralPolicyModes } from './distillation.ts'
import { memoryKinds, recallChannels } from './kind.ts'
import { heartbeatReviewTriggers, memoryAuthorities, memoryFlushReasons, memorySourceTypes } from './source.ts'
import { memoryStateReasons, memoryStates } from './state.ts'

export * from './profile.ts'
export * from './relationship-record.ts'

export const MemoryKind = oneOf(memoryKinds)
export const MemoryState = oneOf(memoryStates)
export const MemorySourceType = oneOf(memorySourceTypes)
export const MemoryAuthority = oneOf(memoryAuthorities)
export const MemoryFlushReason = oneOf(memoryFlushReasons)
export const HeartbeatReviewTrigger = oneOf(heartbeatReviewTriggers)
export const RecallChannel = oneOf(recallChannels)
export const ProceduralPolicyMode = oneOf(proceduralPolicyModes)

export const MemoryContent = Type.String({ minLength: 1, maxLength: 65_536 })

/** What a memory is about. */
export const MemorySubject = Type.String({
  pattern: '^(?:user|agent|(?:workspace|entity):.{1,200})$',
  description: '`user`, `agent`, `workspace:NAME` or `entity:NAME`',
})

/** Words of a message that a memory rests on, unchanged. */
export const MemoryQuote = object({
  message_id: Id,
  /** Absent if the message is not known. */
  conversation_id: Type.Optional(Id),
  excerpt: Type.String({ minLength: 1, maxLength: 2_000 }),
})
export type MemoryQuote = Static<typeof MemoryQuote>

/** A step of a procedure: the tool, and the shape of its arguments. `command` is set only if a person approved exactly this command. */
export const ProcedureStep = object({ tool: Line, shape: Line, command: nullable(Text) })
export type ProcedureStep = Static<typeof ProcedureStep>

/** What a procedural memory consists of, if it was distilled from runs. */
export const Procedure = object({
  steps: listOf(ProcedureStep, { minItems: 1, maxItems: 100 }),
  distiller: oneOf(distillerNames),
  /** Why the rules wrote it although the policy asks the model first. Absent if the model was not asked, or wrote it. */
  fallback_reason: Type.Optional(Line),
  successes: Count,
  failures: Count,
})
export type Procedure = Static<typeof Procedure>

/** One long-term memory. */
export const Memory = object({
  id: Id,
  /** Null: shared by all agents of this device. */
  agent_id: nullable(Key),
  /** Where it was learned. It applies elsewhere too, unless `only_in_conversation`. */
  conversation_id: nullable(Id),
  only_in_conversation: Flag,
  memory_kind: MemoryKind,
  subject: MemorySubject,
  /** The key of the slot table that it fills; null if none does. */
  slot: nullable(Key),
  content: MemoryContent,
  quotes: listOf(MemoryQuote, { maxItems: 20 }),
  procedure: nullable(Procedure),
  state: MemoryState,
  state_reason: nullable(oneOf(memoryStateReasons)),
  confidence: Fraction,
  source_type: MemorySourceType,
  source_run_id: nullable(Id),
  authority: MemoryAuthority,
  confirmed_by_user: Flag,
  expires_at: nullable(Timestamp),
  conflicts_with: listOf(Id, { maxItems: 100 }),
  supersedes: listOf(Id, { maxItems: 100 }),
  last_used_at: nullable(Timestamp),
  use_count: Count,
  tags: listOf(Line, { maxItems: 50 }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Version,
})
export type Memory = Static<typeof Memory>

/** The user's decision about a conflict. No resolution undoes it. */
export const MemoryDecision = object({
  id: Id,
  kept_memory_id: Id,
  over_memory_ids: listOf(Id, { minItems: 1, maxItems: 100 }),
  created_at: Timestamp,
})
export type MemoryDecision = Static<typeof MemoryDecision>

/** What `apply_memory_resolution_cycle()` did. */
export const MemoryResolution = object({
  conflicting: listOf(Id, { description: 'Memories that contradict another one, about which the user has to decide' }),
  superseded: listOf(Id),
  archived: listOf(Id),
})
export type MemoryResolution = Static<typeof MemoryResolution>

/** The memories a heartbeat review wrote, by what it looked for. */
export const HeartbeatExtracts = object({
  preference: listOf(Id),
  decision: listOf(Id),
  procedural: listOf(Id),
  relationship: listOf(Id),
  lessons_learned: listOf(Id),
})
export type HeartbeatExtracts = Static<typeof HeartbeatExtracts>

export const MemoryHeartbeatReview = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  trigger: HeartbeatReviewTrigger,
  summary: Text,
  messages_reviewed: Count,
  memories_reviewed: Count,
  extracted: HeartbeatExtracts,
  resolution: MemoryResolution,
  /** Why it ended early: then it will be repeated, and nothing is listed above. Null if it was completed. */
  failure: nullable(Line),
  started_at: Timestamp,
  completed_at: Timestamp,
})
export type MemoryHeartbeatReview = Static<typeof MemoryHeartbeatReview>

/** A review that is running now. */
export const RunningReview = object({
  agent_id: Key,
  conversation_id: nullable(Id),
  trigger: HeartbeatReviewTrigger,
  started_at: Timestamp,
  /** How many conversations it reads, and how many of them it has read. */
  conversations: Count,
  conversations_read: Count,
})
export type RunningReview = Static<typeof RunningReview>

/** The user's correction: what was wrong, and what is right. */
export const UserCorrection = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  run_id: nullable(Id),
  message_id: nullable(Id),
  /** The memory that was wrong, if it was a memory. */
  corrected_memory_id: nullable(Id),
  wrong: Text,
  right: MemoryContent,
  /** The memory that contains the correction. */
  memory_id: Id,
  created_at: Timestamp,
})
export type UserCorrection = Static<typeof UserCorrection>

/** How procedural memories are distilled; the policy without an agent applies to every agent that has none of its own. */
export const ProceduralMemoryPolicy = object({
  agent_id: nullable(Key),
  mode: ProceduralPolicyMode,
  complex_flow_steps: Type.Integer({ minimum: 1, maximum: 1_000, description: 'A procedure with at least this many steps is complex' }),
  model: nullable(Line),
  updated_at: Timestamp,
  version: Version,
})
export type ProceduralMemoryPolicy = Static<typeof ProceduralMemoryPolicy>
