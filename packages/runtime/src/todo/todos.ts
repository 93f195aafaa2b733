// The todos of each conversation: one record, merged item by item across devices.
import type { TodoEdit } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { TodoItem } from '@tandem/contract/sync'
import { timestamp } from '../clock/clock.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { applyTodoEdits, visibleTodos } from './list.ts'

export type TodosOutcome =
  | { readonly ok: true; readonly value: readonly TodoItem[] }
  | { readonly ok: false; readonly code: 'not_found' | 'limit_reached'; readonly message: string }

export interface Todos {
  /** By position, without deleted ones. */
  list(conversation_id: string): readonly TodoItem[]
  /** All edits or none. `run_id` is the run whose journal records the change; null if there is none. */
  edit(conversation_id: string, run_id: string | null, edits: readonly TodoEdit[]): TodosOutcome
}

export interface TodoPorts {
  /** Called in the transaction of the change. */
  onChanged(run_id: string, todos: readonly TodoItem[]): void
}

/** The maximum of the contract, including deleted todos: they are synchronized so that a deletion merges like any other change. */
const longestList = 500

export function openTodos(store: Store, records: Records, ports: TodoPorts): Todos {
  const stamps = {
    // Short, because models read and write it; the end of an id is random.
    id: () => store.newId().slice(-12),
    state_ts: () => timestamp(store.stamps.next()),
  }

  function items(conversation_id: string): readonly TodoItem[] {
    return records.get('todos', conversation_id)?.payload.todos ?? []
  }

  return {
    list: (conversation_id) => visibleTodos(items(conversation_id)),
    edit(conversation_id, run_id, edits) {
      return store.transaction<TodosOutcome>(() => {
        const after = applyTodoEdits(items(conversation_id), edits, stamps, run_id)
        if (!after.ok) return after
        const fault = tooMuch(after.items)
        if (fault) return { ok: false, code: 'limit_reached', message: fault }
        records.put('todos', conversation_id, { todos: [...after.items] })
        const value = visibleTodos(after.items)
        if (run_id !== null) ports.onChanged(run_id, value)
        return { ok: true, value }
      })
    },
  }
}

function tooMuch(items: readonly TodoItem[]): string | null {
  if (items.length > longestList) return `a conversation has at most ${longestList} todos, including deleted ones`
  const bytes = Buffer.byteLength(JSON.stringify({ todos: items }))
  return bytes > limits.payload_bytes
    ? `the todos of a conversation can use at most ${limits.payload_bytes} bytes: shorten their notes`
    : null
}
