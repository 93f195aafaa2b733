// What recall indexes for memory: the memories, and what was said in conversations. Secrets are masked before they reach the index.
import type { Journal } from '../journal/journal.ts'
import type { RecallSource, RecallText } from '../recall/text.ts'
import type { Store } from '../store/store.ts'
import type { Memories } from './record/memories.ts'
import { maskSecrets } from './rule/secret/secrets.ts'
import { scopeOf } from './rule/visible.ts'

export function memorySource(memories: Memories, isEmbedded: () => boolean): RecallSource {
  return {
    space: 'memories',
    isEmbedded,
    ids: memories.ids,
    read: (ids) =>
      memories.all(ids).map((memory): RecallText => {
        const { id, content, created_at } = memory
        return { id, scope: scopeOf(memory), text: content, at: Date.parse(created_at), speaker: null, group: null }
      }),
  }
}

export const messageScope = (agent_id: string) => `messages/agent:${agent_id}`

interface MemorySourceRow {
  readonly message_id: string
  readonly role: string
  readonly created_at: number
  readonly conversation_id: string
  readonly agent_id: string
}

/** Messages of hidden and deleted conversations, and of what the user does not want to be remembered, are not indexed. */
export function messageSource(
  { sql }: Pick<Store, 'sql'>,
  { messages }: Pick<Journal, 'messages'>,
  isExcluded: (agent_id: string, conversation_id: string) => boolean,
): RecallSource {
  return {
    space: 'messages',
    ids: (after, limit) =>
      sql.all<{ message_id: string }>`
        SELECT message_id FROM messages WHERE message_id > ${after ?? ''} ORDER BY message_id LIMIT ${limit}`.map(
        ({ message_id }) => message_id,
      ),
    read(ids) {
      const rows = sql.all<MemorySourceRow>`
        SELECT m.message_id, m.role, m.created_at, c.conversation_id, c.agent_id
        FROM messages m JOIN conversations c ON c.no = m.conversation
        WHERE m.message_id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND m.set_aside = 0 AND c.hidden = 0
          AND c.deleted_at IS NULL`
      return rows.flatMap(({ message_id, role, created_at, conversation_id, agent_id }): RecallText[] => {
        const text = messages.get(message_id)?.text ?? ''
        if (text.trim() === '' || isExcluded(agent_id, conversation_id)) return []
        const speaker = role === 'user' ? 'user' : 'agent'
        return [
          {
            id: message_id,
            scope: messageScope(agent_id),
            text: maskSecrets(text).slice(0, longestText),
            at: created_at,
            speaker,
            group: conversation_id,
          },
        ]
      })
    },
  }
}

/** Only the beginning of a very long message is indexed. A secret is recognized only as a whole, so the text is cut after it is masked. */
export function indexedText(text: string): string {
  const masked = maskSecrets(text.slice(0, longestText + longestSecret))
  // The end of what was masked may be a part of a secret.
  return text.length <= longestText + longestSecret
    ? masked.slice(0, longestText)
    : masked.slice(0, Math.min(longestText, masked.length - longestSecret))
}

const longestText = 20_000
const longestSecret = 20_000
