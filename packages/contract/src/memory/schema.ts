import Type, { type Static } from 'typebox'
import { Count, Flag, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { proceduralPolicyModes } from './distillation.ts'
import { memoryKinds, recallChannels } from './kind.ts'
import { heartbeatReviewTriggers, memoryFlushReasons, memorySourceTypes } from './source.ts'
import { memoryStates } from './state.ts'

export * from './profile.ts'
export * from './relationship-record.ts'

export const MemoryKind = oneOf(memoryKinds)
export const MemoryState = oneOf(memoryStates)
export const MemorySourceType = oneOf(memorySourceTypes)
export const MemoryFlushReason = oneOf(memoryFlushReasons)
export const HeartbeatReviewTrigger = oneOf(heartbeatReviewTriggers)
export const RecallChannel = oneOf(recallChannels)
export const ProceduralPolicyMode = oneOf(proceduralPolicyModes)

export const MemoryContent = Type.String({ minLength: 1, maxLength: 65_536 })

/** One long-term memory. Without a conversation it applies to all conversations of the agent. */
export const Memory = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  memory_kind: MemoryKind,
  content: MemoryContent,
  state: MemoryState,
  confidence: Fraction,
  source_type: MemorySourceType,
  source_run_id: nullable(Id),
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

/** What `apply_memory_resolution_cycle()` did. */
export const MemoryResolution = object({
  conflicting: listOf(Id, { description: 'Memories that contradict another and need a decision by the user' }),
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
  started_at: Timestamp,
  completed_at: Timestamp,
})
export type MemoryHeartbeatReview = Static<typeof MemoryHeartbeatReview>

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
  complex_flow_steps: Type.Integer({ minimum: 1, maximum: 1_000, description: 'A flow of at least this many steps is complex' }),
  model: nullable(Line),
  updated_at: Timestamp,
  version: Version,
})
export type ProceduralMemoryPolicy = Static<typeof ProceduralMemoryPolicy>
