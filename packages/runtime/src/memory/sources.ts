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
export function messageSource({ sql }: Pick<Store, 'sql'>, { messages }: Pick<Journal, 'messages'>): RecallSource {
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
          AND c.deleted_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM memory_exclusions e WHERE
            (e.kind = 'conversation' AND e.id = c.conversation_id) OR (e.kind = 'agent' AND e.id = c.agent_id))`
      return rows.flatMap(({ message_id, role, created_at, conversation_id, agent_id }): RecallText[] => {
        const text = messages.get(message_id)?.text.slice(0, longestText) ?? ''
        if (text.trim() === '') return []
        const speaker = role === 'user' ? 'user' : 'agent'
        return [{ id: message_id, scope: messageScope(agent_id), text: maskSecrets(text), at: created_at, speaker, group: conversation_id }]
      })
    },
  }
}

/** Only the beginning of a very long message is indexed. */
const longestText = 20_000
