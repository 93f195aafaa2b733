import Type, { type Static } from 'typebox'
import { limits } from '../../limits/index.ts'
import { Message } from '../../run/schema.ts'
import { Flag, Id, Line, listOf, nullable, object, oneOf, pageOf, Timestamp } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'
import { Folder } from './conversations.ts'
import { shownImageTypes } from './names.ts'

/** A file attached to a message: the runtime stores it under its own id. */
export const Attachment = Message.properties.attachments.items
export type Attachment = Static<typeof Attachment>

/** Where the words were found: in the title of a conversation, or in one of its messages. */
export const FoundConversation = object({
  conversation_id: Id,
  title: Line,
  hidden: Flag,
  updated_at: Timestamp,
  message_id: nullable(Id),
  role: nullable(oneOf(['user', 'assistant', 'system'])),
  /** The text around the match; empty if the title matches. */
  excerpt: Type.String({ maxLength: 1_000 }),
})
export type FoundConversation = Static<typeof FoundConversation>

/** What users need to write messages, and to find them again. */
export const composerCommands = {
  attachment_add: {
    summary: 'Store a file as an attachment for a message; pass the result to agent_run_start.',
    params: object({
      name: Line,
      media_type: Line,
      data: Type.String({
        maxLength: Math.ceil(limits.attachment_bytes / 3) * 4,
        contentEncoding: 'base64',
        description: 'The content of the file, in base64',
      }),
    }),
    result: object({ attachment: Attachment }),
  },
  workspace_list_files: {
    summary: 'Find files in the folder of a conversation by parts of their path. Ignored files are left out.',
    params: listParams({
      conversation_id: Type.Optional(Id),
      /** For a conversation that has not started; if absent, the folder the runtime was started in. */
      workspace: Type.Optional(Folder),
      query: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    result: pageOf(object({ path: Type.String({ minLength: 1, maxLength: 4_096 }) })),
  },
  workspace_read_image: {
    summary: 'Read an image in the folder of a conversation, so that a text can show it.',
    params: object({ conversation_id: Id, path: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    result: object({ image: object({ media_type: oneOf(shownImageTypes), base64: Type.String({ maxLength: 8 * 1_048_576 }) }) }),
  },
  conversation_search: {
    summary: 'Search conversations by words in their titles and messages, most recently used first.',
    params: object({ query: Type.String({ minLength: 1, maxLength: 200 }) }),
    result: object({ found: listOf(FoundConversation, { maxItems: 50 }) }),
  },
} satisfies Record<string, Command>
