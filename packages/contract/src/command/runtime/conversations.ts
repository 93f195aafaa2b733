import Type, { type Static } from 'typebox'
import { importSources } from '../../import/index.ts'
import { limits } from '../../limits/index.ts'
import { BranchPoint, Message } from '../../run/schema.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { SandboxMode } from '../../tool/schema.ts'
import { type Command, listParams } from '../command.ts'
import { branchEnds, conversationStarters } from './names.ts'

export const Folder = Type.String({ minLength: 1, maxLength: 4_096, description: 'The absolute path of a folder' })

/** Empty for a conversation of another device until the user chooses a folder of this one. */
export const ChosenFolder = Type.String({ maxLength: 4_096, description: 'The absolute path of a folder on this device, or empty' })

export const Conversation = object({
  conversation_id: Id,
  agent_id: Key,
  title: Line,
  workspace: ChosenFolder,
  hidden: Flag,
  pinned: Flag,
  /** Absent unless it is deleted. Until then it can be restored. */
  deletion: Type.Optional(object({ deleted_at: Timestamp, erased_from: Timestamp })),
  /** Where it parts from another conversation. Absent if it is not a branch. */
  branch: Type.Optional(BranchPoint),
  /** The assistant that it was imported from, on the device that imported it. */
  imported_from: Type.Optional(oneOf(importSources)),
  /** What started it for itself, if no person did. Lists report it for hidden conversations, which are then not archived ones. */
  started_by: Type.Optional(oneOf(conversationStarters)),
  /** What was chosen for its runs on this device. Absent if they use what its agent or the device uses. */
  model: Type.Optional(Line),
  sandbox_mode: Type.Optional(SandboxMode),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Conversation = Static<typeof Conversation>

const { text: _text, text_file_id: _file, ...message } = Message.properties

/** A message on its own device: complete, however long. */
export const ListedMessage = object({
  ...message,
  text: Type.String(),
  set_aside: Flag,
  /** What was shown of an answer that was interrupted. Absent if it is complete. */
  interrupted: Type.Optional(Flag),
})
export type ListedMessage = Static<typeof ListedMessage>

const ConversationIds = listOf(Id, { minItems: 1, maxItems: limits.conversations_at_once })

const UnmergedCopy = object({
  /** The member that worked in it. */
  run_id: Id,
  title: Line,
  folder: Text,
  /** Null if it could not be examined. */
  changed_paths: nullable(Count),
})

/** Branches and the conversations of team members are deleted with the conversation they belong to. */
export const DeletionPreview = object({
  conversation_ids: listOf(Id),
  /** Runs of this device that must be stopped first. */
  open_run_ids: listOf(Id),
  recovery_points: Count,
  /** Memories that were learned in them. They stay, without the quotes. */
  memories: Count,
  /** Copies of folders with changes that were not merged. They stay until a user discards them (`team_discard_copy`). */
  unmerged_copies: listOf(UnmergedCopy),
  /** The device belongs to an account, and the user signed out: other devices learn of it only after the next sign-in, before it is erased. */
  signed_out: Flag,
})
export type DeletionPreview = Static<typeof DeletionPreview>

const result = object({ conversation: Conversation })

export const conversationCommands = {
  conversation_create: {
    summary: 'Start a conversation with an agent in a folder.',
    params: object({
      /** The default agent when absent. */
      agent_id: Type.Optional(Key),
      title: Type.Optional(Line),
      /** The folder its runs work in; if absent, the one the runtime was started in, or the last used one. */
      workspace: Type.Optional(Folder),
      /** For its runs; if absent, what the agent or the device uses. */
      model: Type.Optional(Line),
      sandbox_mode: Type.Optional(SandboxMode),
    }),
    result,
  },
  conversation_branch: {
    summary: 'Start a conversation that continues from a message of another one. Nothing of that one changes.',
    params: object({
      message_id: Id,
      /** Whether the message itself is part of the history: `before` to write another one in its place, `through` to continue after it. */
      keep: oneOf(branchEnds),
      /** Repeating the call with the same key starts only one conversation. */
      key: Type.Optional(Key),
    }),
    result,
  },
  conversation_list: {
    summary: 'List conversations, most recently used first.',
    params: listParams({
      agent_id: Type.Optional(Key),
      /** Archived ones. Those that a run or a workflow started for itself are not, nor are empty ones. */
      hidden: Type.Optional(Flag),
      /** Only those that are deleted and can be restored, archived or not. */
      deleted: Type.Optional(Flag),
      pinned: Type.Optional(Flag),
      /** Only these and all that branch from the same ones, archived or not. */
      families_of: Type.Optional(ConversationIds),
    }),
    result: pageOf(Conversation),
  },
  conversation_get: {
    summary: 'Show one conversation.',
    params: object({ conversation_id: Id }),
    result,
  },
  conversation_rename: {
    summary: 'Rename a conversation.',
    params: object({ conversation_id: Id, title: Line }),
    result,
  },
  conversation_hide: {
    summary: 'Archive or unarchive a conversation.',
    params: object({ conversation_id: Id, hidden: Flag }),
    result,
  },
  conversation_pin: {
    summary: 'Pin or unpin a conversation.',
    params: object({ conversation_id: Id, pinned: Flag }),
    result,
  },
  conversation_preview_delete: {
    summary: 'Show what deleting conversations would delete, and what would stay.',
    params: object({ conversation_ids: ConversationIds }),
    result: DeletionPreview,
  },
  conversation_delete: {
    summary: 'Delete conversations with their branches. They can be restored until they are erased.',
    params: object({
      conversation_ids: ConversationIds,
      /** Stops their runs on this device first. Otherwise a running or waiting conversation is not deleted. */
      stop: Type.Optional(Flag),
    }),
    result: object({ conversation_ids: listOf(Id), erased_from: Timestamp }),
  },
  conversation_restore: {
    summary: 'Restore deleted conversations that are not erased yet, with their branches.',
    params: object({ conversation_ids: ConversationIds }),
    result: object({ conversation_ids: listOf(Id) }),
  },
  conversation_set_workspace: {
    summary: 'Let a conversation work in another folder from its next run on. Earlier runs and their recovery points keep theirs.',
    params: object({ conversation_id: Id, workspace: Folder }),
    result,
  },
  conversation_set_run_options: {
    summary: 'Choose the model and the sandbox mode of a conversation on this device, from its next run on. Null for those of its agent.',
    params: object({
      conversation_id: Id,
      /** Absent options stay as they are. */
      model: Type.Optional(nullable(Line)),
      sandbox_mode: Type.Optional(nullable(SandboxMode)),
    }),
    result,
  },
  message_list: {
    summary: 'List the messages of a conversation in order, including those undone by a restore.',
    params: listParams({
      conversation_id: Id,
      /** Also what was shown of answers that were interrupted, where it was shown. */
      interrupted: Type.Optional(Flag),
    }),
    result: pageOf(ListedMessage),
  },
} satisfies Record<string, Command>
