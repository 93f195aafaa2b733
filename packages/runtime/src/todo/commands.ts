import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import { conversationNotFound } from '../feature/not-found.ts'
import type { Journal } from '../journal/journal.ts'
import { ownRun } from '../journal/own-run.ts'
import type { Store } from '../store/store.ts'
import type { Todos } from './todos.ts'

export interface TodoCommandPorts {
  readonly store: Pick<Store, 'device_id'>
  readonly journal: Journal
  readonly todos: Todos
}

export function todoHandlers({ store, journal, todos }: TodoCommandPorts): CommandTable {
  return {
    todo_list({ conversation_id, ...paging }) {
      if (!journal.conversations.get(conversation_id)) return conversationNotFound(conversation_id)
      return pageBy('todo_list', todos.list(conversation_id), ({ id }) => id, paging)
    },
    todo_update({ conversation_id, edits }) {
      if (!journal.conversations.get(conversation_id)) return conversationNotFound(conversation_id)
      // Todos are a separate entity: they can be changed even if this device has no run that could report it.
      const outcome = todos.edit(conversation_id, ownRun(journal, store.device_id, conversation_id)?.run_id ?? null, edits)
      return outcome.ok ? { ok: true, value: { todos: [...outcome.value] } } : outcome
    },
  }
}
