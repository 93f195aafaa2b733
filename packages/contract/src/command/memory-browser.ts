// What users need to see, correct, move and delete what their agents remember.
import Type from 'typebox'
import { memoryDropReasons } from '../memory/dropped.ts'
import { memoryExportParts } from '../memory/export.ts'
import { memoryFates } from '../memory/fate.ts'
import {
  AgentIdentityProfile,
  Memory,
  MemoryAuthority,
  MemoryContent,
  MemoryDecision,
  MemoryHeartbeatReview,
  MemoryKind,
  MemoryRelationshipEntity,
  MemoryResolution,
  MemoryState,
  MemorySubject,
  RunningReview,
  UserCorrection,
} from '../memory/schema.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp, Version } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const changed = object({ memory: Memory, resolution: MemoryResolution })
const one = object({ memory_id: Id })

/** What forgetting did not remove, because it is not a memory: for example the message itself. */
const forgotten = object({ memories: Count, graph_edges: Count, remains: listOf(Line) })

const UsedMemory = object({
  memory_id: Id,
  version: Version,
  fate: oneOf(memoryFates),
  /** What it says now, or what is used in its place. Null if it was forgotten. */
  memory: nullable(Memory),
})

/**
 * An export: all memories of this device with their earlier versions, and the user's decisions and corrections, in one JSON text. Profiles
 * and relationships are computed from them.
 */
const MemoryExport = Type.String({ minLength: 1, maxLength: 64 * 1_024 * 1_024, contentMediaType: 'application/json' })

export const memoryBrowserCommands = {
  memory_list: {
    summary: 'List memories, newest first, with filters.',
    params: listParams({
      agent_id: Type.Optional(Key),
      conversation_id: Type.Optional(Id),
      memory_kinds: Type.Optional(listOf(MemoryKind)),
      states: Type.Optional(listOf(MemoryState)),
      subject: Type.Optional(MemorySubject),
      authority: Type.Optional(MemoryAuthority),
      words: Type.Optional(listOf(Line, { maxItems: 4, description: 'Each must occur in the memory' })),
      has_conflict: Type.Optional(Flag),
      to_review: Type.Optional(Type.Boolean({ description: 'Only memories that need confirmation by the user' })),
      expires_before: Type.Optional(Timestamp),
    }),
    result: pageOf(Memory),
  },
  memory_get: {
    summary: 'Show a memory with its sources, its earlier versions and the memories it conflicts with.',
    params: one,
    result: object({
      memory: Memory,
      versions: listOf(Memory, { description: 'Earlier versions, oldest first' }),
      related: listOf(Memory, { description: 'Memories it conflicts with, supersedes or is superseded by' }),
      sources: listOf(
        object({
          message_id: Id,
          conversation_id: nullable(Id),
          conversation_title: nullable(Line),
          excerpt: Text,
          ts: nullable(Timestamp),
        }),
      ),
      decisions: listOf(MemoryDecision),
      /** Why it is not put into prompts; null if it is. */
      not_used_because: nullable(Line),
    }),
  },
  memory_add: {
    summary: 'Add a memory for an agent, or for all agents.',
    params: object({
      agent_id: nullable(Key),
      content: MemoryContent,
      memory_kind: MemoryKind,
      subject: Type.Optional(MemorySubject),
      conversation_id: Type.Optional(Id),
      only_in_conversation: Type.Optional(Flag),
    }),
    result: changed,
  },
  memory_edit: {
    summary: 'Change the text, the kind, the subject, the scope or the expiry of a memory.',
    params: object({
      memory_id: Id,
      version: Type.Optional(Version),
      content: Type.Optional(MemoryContent),
      memory_kind: Type.Optional(MemoryKind),
      subject: Type.Optional(MemorySubject),
      only_in_conversation: Type.Optional(Flag),
      expires_at: Type.Optional(nullable(Timestamp)),
    }),
    result: changed,
  },
  memory_confirm: { summary: 'Confirm that a memory is right.', params: one, result: changed },
  memory_forget: {
    summary: 'Forget a memory: delete it permanently, with its earlier versions and its relationships.',
    params: one,
    result: forgotten,
  },
  memory_reinstate: { summary: 'Reinstate an archived or superseded memory.', params: one, result: changed },
  memory_decide_conflict: {
    summary: 'Decide which of several conflicting memories is right.',
    params: object({ kept_memory_id: Id, over_memory_ids: listOf(Id, { minItems: 1, maxItems: 100 }) }),
    result: object({ decision: MemoryDecision, memory: Memory, resolution: MemoryResolution }),
  },
  memory_forget_user: {
    summary: 'Forget everything about the user: every memory with the subject "user", and the user models.',
    params: object({}),
    result: forgotten,
  },
  memory_list_reviews: {
    summary: 'List the heartbeat reviews, newest first.',
    params: listParams({ agent_id: Type.Optional(Key) }),
    result: pageOf(MemoryHeartbeatReview),
  },
  memory_list_corrections: {
    summary: "List the user's corrections, newest first.",
    params: listParams({ agent_id: Type.Optional(Key) }),
    result: pageOf(UserCorrection),
  },
  memory_of_run: {
    summary: 'Show which memories were in the prompt of a run, and whether they have changed since.',
    params: object({ run_id: Id }),
    result: object({
      items: listOf(UsedMemory, { description: 'In the order of the prompt' }),
      /** What the last prompt spent on memories. */
      tokens: Count,
    }),
  },
  memory_get_identity_profile: {
    summary: 'Show what an agent knows about itself.',
    params: object({ agent_id: Key, conversation_id: Type.Optional(Id) }),
    result: object({ identity_profile: AgentIdentityProfile }),
  },
  memory_split_entity: {
    summary: 'Separate entities that were merged by mistake. They stay separate.',
    params: object({
      agent_id: Key,
      entity_id: Id,
      parts: listOf(listOf(Id, { minItems: 1 }), {
        minItems: 2,
        maxItems: 100,
        description: 'Its source entities, grouped by what belongs together',
      }),
    }),
    result: object({ entities: listOf(MemoryRelationshipEntity) }),
  },
  memory_set_remembering: {
    summary:
      'Choose whether anything from an agent or a conversation may be remembered. While it may not, memories are not used there either.',
    params: object({ kind: oneOf(['agent', 'conversation']), id: Key, remember: Flag }),
    result: object({ kind: oneOf(['agent', 'conversation']), id: Key, remember: Flag }),
  },
  memory_export: {
    summary: 'Export all memories of this device as JSON, with their earlier versions, your decisions and your corrections.',
    params: object({}),
    result: object({ json: MemoryExport, memories: Count }),
  },
  memory_import: {
    summary: 'Import what an export contains. What is already stored is not added again.',
    params: object({ json: MemoryExport }),
    result: object({
      /** Memories that were added, and memories that were already there. */
      added: Count,
      known: Count,
      versions: Count,
      decisions: Count,
      corrections: Count,
      refused: listOf(object({ part: oneOf(memoryExportParts), position: Count, reason: Line })),
    }),
  },
  memory_status: {
    summary:
      'Show how many memories there are, which reviews are running, the state of the search index, how many tokens the model has used in the background today, and what memory cannot do on this device.',
    params: object({}),
    result: object({
      memories: object({ active: Count, superseded: Count, archived: Count, to_review: Count, conflicts: Count, expiring_soon: Count }),
      background: object({ enabled: Flag, tokens_today: Count, daily_tokens: Count, model: nullable(Line) }),
      running_reviews: listOf(RunningReview),
      /** The index that memories and messages are found with. `waiting`: changes that are not in it yet. */
      search_index: object({
        texts: nullable(Count),
        waiting: Count,
        problem: nullable(object({ message: Line, remedy: Line })),
      }),
      excluded: object({ agents: listOf(Key), conversations: listOf(Id) }),
      /** What was proposed as a memory in the last 30 days and not kept. */
      dropped: listOf(object({ reason: oneOf(memoryDropReasons), count: Count })),
      notes: listOf(Line),
    }),
  },
} satisfies Record<CommandNameIn<'memory_browser'>, Command>
