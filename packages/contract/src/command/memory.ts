import Type from 'typebox'
import {
  Evidence,
  Memory,
  MemoryContent,
  MemoryHeartbeatReview,
  MemoryKind,
  MemoryRelationship,
  MemoryRelationshipEntity,
  MemoryResolution,
  ProceduralMemoryPolicy,
  ProceduralPolicyMode,
  RecallChannel,
  RelationshipEdgeKind,
  RelationshipEntityKind,
  UserCorrection,
} from '../memory/schema.ts'
import { Count, Fraction, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const scope = { agent_id: Key, conversation_id: Type.Optional(Id) }

/** What each signal added to the score, the words that matched, and how close the meaning is (from -1 to 1; null if it was not compared). */
const FoundBecause = object({
  signals: listOf(object({ signal: Key, share: Fraction })),
  words: listOf(Line),
  similarity: nullable(Type.Number({ minimum: -1, maximum: 1 })),
})

const semanticStates = ['used', 'off', 'not_warm', 'no_vectors', 'failed', 'not_asked'] as const

/** Without an agent: the policy for every agent that has none of its own. */
const ofPolicy = { agent_id: nullable(Key) }

export const memoryCommands = {
  memory_record_user_correction: {
    summary: 'Correct a memory: record what was wrong and what is right.',
    params: object({
      ...scope,
      run_id: Type.Optional(Id),
      message_id: Type.Optional(Id),
      corrected_memory_id: Type.Optional(Id),
      wrong: Text,
      right: MemoryContent,
      memory_kind: Type.Optional(MemoryKind),
    }),
    result: object({ correction: UserCorrection, memory: Memory, resolution: MemoryResolution }),
  },
  memory_get_relationship_graph: {
    summary:
      'Show the entities an agent knows (people, things and rules) and how they relate, for one conversation or merged across all conversations.',
    params: listParams({
      ...scope,
      entity_kinds: Type.Optional(listOf(RelationshipEntityKind)),
      edge_kinds: Type.Optional(listOf(RelationshipEdgeKind)),
      around_entity_id: Type.Optional(Id),
      max_hops: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    }),
    /** The page size counts edges; the entities at both ends of each edge are included. */
    result: object({
      view: oneOf(['conversation', 'agent']),
      entities: listOf(MemoryRelationshipEntity),
      edges: listOf(MemoryRelationship),
      next_cursor: nullable(Type.String()),
    }),
  },
  list_procedural_memory_policies: {
    summary: 'List the policies for distilling procedural memories: the default, and those of agents with their own.',
    params: listParams({}),
    result: pageOf(ProceduralMemoryPolicy),
  },
  get_procedural_memory_policy: {
    summary: 'Show the policy that applies to an agent, or the default policy.',
    params: object(ofPolicy),
    result: object({ policy: ProceduralMemoryPolicy, inherited: Type.Boolean({ description: 'The agent does not have its own policy' }) }),
  },
  set_procedural_memory_policy: {
    summary: 'Set how procedural memories are distilled from runs.',
    params: object({
      ...ofPolicy,
      mode: ProceduralPolicyMode,
      complex_flow_steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
      model: Type.Optional(nullable(Line)),
    }),
    result: ProceduralMemoryPolicy,
  },
  memory_search: {
    summary: 'Search long-term memory by meaning and by exact words.',
    params: object({
      ...scope,
      query: Type.String({ minLength: 1, maxLength: 4_096 }),
      memory_kinds: Type.Optional(listOf(MemoryKind)),
      channels: Type.Optional(listOf(RecallChannel)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Maximum number of results per channel' })),
    }),
    result: object({
      semantic_recall: listOf(
        object({
          memory: Memory,
          is_used: Type.Boolean({ description: 'False if it has expired, or a memory that contradicts it takes precedence' }),
          score: Fraction,
          why: FoundBecause,
        }),
      ),
      exact_evidence: listOf(
        object({ evidence: Evidence, memory_id: nullable(Id), matched: listOf(Line), ts: Timestamp, why: FoundBecause }),
      ),
      /** Whether meanings were compared, or why not. */
      semantic: oneOf(semanticStates),
      late: Type.Boolean({ description: 'The search took too long, so some results may be missing' }),
    }),
  },
  memory_compact: {
    summary: 'Save what is worth keeping to memory, then compact the context.',
    params: object({ agent_id: Key, conversation_id: Id }),
    result: object({
      flushed_memory_ids: listOf(Id),
      resolution: MemoryResolution,
      tokens_before: Count,
      tokens_after: Count,
      compacted_through_seq: Count,
      summary: Text,
    }),
  },
  memory_run_heartbeat_review: {
    summary: 'Review recent activity and remember preferences, decisions, procedures, relationships, lessons and other facts.',
    params: object(scope),
    result: MemoryHeartbeatReview,
  },
} satisfies Record<CommandNameIn<'memory'> | 'memory_search' | 'memory_compact' | 'memory_run_heartbeat_review', Command>
