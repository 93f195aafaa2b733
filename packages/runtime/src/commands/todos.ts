import { noConversation } from './conversations.ts'
import { pageBy } from './cursor.ts'
import type { Features } from './features.ts'
import type { CommandTable } from './table.ts'

export function todoHandlers({ journal, todos }: Pick<Features, 'journal' | 'todos'>): CommandTable {
  return {
    todo_list({ conversation_id, ...paging }) {
      if (!journal.conversations.get(conversation_id)) return noConversation(conversation_id)
      return pageBy('todo_list', todos.list(conversation_id), ({ id }) => id, paging)
    },
    todo_update({ conversation_id, edits }) {
      if (!journal.conversations.get(conversation_id)) return noConversation(conversation_id)
      const [latest] = journal.runs({ conversation_id, limit: 1 })
      const outcome = todos.edit(conversation_id, latest?.run_id ?? null, edits)
      return outcome.ok ? { ok: true, value: { todos: [...outcome.value] } } : outcome
    },
  }
}
