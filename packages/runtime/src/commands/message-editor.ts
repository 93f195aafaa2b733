import type { Attachment } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf } from '../feature/cursor.ts'
import { conversationNotFound } from '../feature/not-found.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import type { Journal } from '../journal/journal.ts'
import type { Blobs } from '../store/blobs.ts'
import { mediaType } from '../tools/fs/media-type.ts'
import { searchConversations } from './conversation-search.ts'
import { fuzzyScore } from './fuzzy.ts'
import { readWorkspaceImage } from './workspace-image.ts'

export interface MessageEditorPorts {
  readonly blobs: Pick<Blobs, 'keep' | 'size'>
  readonly journal: Journal
  readonly workspaces: Workspaces
  /** The files of a folder, without ignored ones. */
  filesIn(workspace: string): Promise<readonly string[]>
}

export function messageEditorHandlers({ blobs, journal, workspaces, filesIn }: MessageEditorPorts): CommandTable {
  return {
    attachment_add({ name, media_type, data }) {
      const bytes = Buffer.from(data, 'base64')
      if (bytes.toString('base64') !== data) return invalidField('data', 'must be base64 with its padding, on one line')
      if (bytes.length > limits.attachment_bytes)
        return invalidField(
          'data',
          'is too large',
          `${name} has ${bytes.length} bytes; an attachment can have at most ${limits.attachment_bytes}`,
        )
      const file_id = blobs.keep('attachment', bytes)
      return { ok: true, value: { attachment: { file_id, name, media_type: typeOf(media_type, bytes), size: bytes.length } } }
    },
    async workspace_list_files({ conversation_id, workspace, query = '', ...paging }) {
      const conversation = conversation_id === undefined ? null : journal.conversations.get(conversation_id)
      if (conversation === undefined) return conversationNotFound(conversation_id ?? '')
      const place = conversation?.workspace || workspace
      // One that has no folder yet has no files either; other folders are not its own.
      if (conversation && place === undefined) return { ok: true, value: { items: [], next_cursor: null } }
      const folder = workspaces.resolve(place)
      if (!folder.ok) return folder
      const files = (await filesIn(folder.value)).flatMap((path) => {
        const score = fuzzyScore(path, query)
        return score === null ? [] : [{ path, score }]
      })
      files.sort((left, right) => right.score - left.score || (left.path < right.path ? -1 : 1))
      return { ok: true, value: { items: files.slice(0, limitOf(paging)).map(({ path }) => ({ path })), next_cursor: null } }
    },
    async workspace_read_image({ conversation_id, path }) {
      const conversation = journal.conversations.get(conversation_id)
      if (!conversation) return conversationNotFound(conversation_id)
      if (conversation.workspace === '') return invalidField('conversation_id', 'has no folder on this device: choose one first')
      const folder = workspaces.resolve(conversation.workspace)
      return folder.ok ? await readWorkspaceImage(folder.value, path) : folder
    },
    conversation_search: ({ query }) => ({ ok: true, value: { found: searchConversations(journal, query) } }),
  }
}

/** Null if all attachments of a message are stored here with the same size. */
export function missingAttachment(blobs: Pick<Blobs, 'size'>, attachments: readonly Attachment[]): Outcome<never> | null {
  const missing = attachments.find(({ file_id, size }) => blobs.size(file_id) !== size)
  return missing
    ? { ok: false, code: 'not_found', message: `the attachment ${missing.name} is not stored on this device: add it again` }
    : null
}

/** The content determines the type, not the name: a file is shown as a picture only if it is one. */
function typeOf(named: string, bytes: Buffer): string {
  const seen = mediaType(bytes)
  if (seen) return seen
  return /^image\/(?!svg)/i.test(named) ? 'application/octet-stream' : named.toLowerCase()
}
