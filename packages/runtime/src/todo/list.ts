// The rules of a todo list. Pure.
import type { TodoEdit } from '@tandem/contract/command'
import type { TodoItem } from '@tandem/contract/sync'

/** Assigns the id and time of a new or changed item; each time is later than all before. */
export interface ItemStamper {
  id(): string
  state_ts(): string
}

export type TodoEditResult =
  | { readonly ok: true; readonly items: readonly TodoItem[] }
  | { readonly ok: false; readonly code: 'not_found'; readonly message: string }

/** The items after all edits, ordered by id as they are stored. If one edit fails, none is applied. */
export function applyTodoEdits(
  items: readonly TodoItem[],
  edits: readonly TodoEdit[],
  stamps: ItemStamper,
  run_id: string | null,
): TodoEditResult {
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const edit of edits) {
    const known = 'id' in edit ? byId.get(edit.id) : undefined
    if ('id' in edit && (!known || known.state === 'deleted')) {
      return { ok: false, code: 'not_found', message: `there is no todo ${edit.id} in this conversation` }
    }
    const item = known ? changedItem(known, edit, stamps) : newItem(edit, last(byId.values()), stamps, run_id)
    byId.set(item.id, item)
  }
  return { ok: true, items: [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)) }
}

/** The items as the user sees them: by position, without deleted ones. */
export function visibleTodos(items: readonly TodoItem[]): TodoItem[] {
  return items
    .filter(({ state }) => state !== 'deleted')
    .sort((left, right) => place(left) - place(right) || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0))
}

function changedItem(item: TodoItem, edit: TodoEdit, stamps: ItemStamper): TodoItem {
  const { note: _note, ...rest } = item
  return {
    ...rest,
    title: edit.title ?? item.title,
    state: edit.state ?? item.state,
    state_ts: stamps.state_ts(),
    ...noted(edit.note === undefined ? item.note : edit.note),
    ...(edit.position === undefined ? {} : { position: edit.position }),
  }
}

function newItem(edit: TodoEdit, end: number, stamps: ItemStamper, run_id: string | null): TodoItem {
  return {
    id: stamps.id(),
    title: edit.title ?? '',
    state: edit.state ?? 'pending',
    state_ts: stamps.state_ts(),
    ...noted(edit.note),
    position: edit.position ?? end + 1,
    ...(run_id === null ? {} : { run_id }),
  }
}

function noted(note: string | null | undefined): { note?: string } {
  return note === null || note === undefined ? {} : { note }
}

const place = ({ position }: TodoItem): number => position ?? Number.MAX_SAFE_INTEGER

function last(items: Iterable<TodoItem>): number {
  return Math.max(0, ...[...items].flatMap(({ position }) => (position === undefined ? [] : [position])))
}
