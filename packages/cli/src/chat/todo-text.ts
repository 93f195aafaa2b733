// Todos in the terminal.
import type { TodoItem } from '@tandem/contract/sync'
import { singleLine } from '../terminal/terminal-text.ts'
import { painted } from './theme.ts'

const marks = { pending: '☐', in_progress: '▸', completed: '☑', canceled: '☒', deleted: '☒' } as const

export function openTodos(todos: readonly TodoItem[]): readonly TodoItem[] {
  return todos.filter(({ state }) => state === 'pending' || state === 'in_progress')
}

/** If there are more than `most`, the open ones first. */
export function todoLines(all: readonly TodoItem[], most: number): string[] {
  const todos = all.filter(({ state }) => state !== 'deleted')
  const done = todos.length - openTodos(todos).length
  const shown = todos.length <= most ? todos : [...openTodos(todos), ...todos.filter((one) => !openTodos([one]).length)].slice(0, most)
  const hidden = todos.length - shown.length
  return [
    painted('dim', `${done} of ${todos.length} todos done`),
    ...shown.map(todoLine),
    ...(hidden > 0 ? [painted('dim', `  and ${hidden} more: /todos`)] : []),
  ]
}

export function todoLine({ title, state }: TodoItem): string {
  const text = `  ${marks[state]} ${singleLine(title, 200)}`
  if (state === 'in_progress') return painted('bold', text)
  return state === 'pending' ? text : painted('dim', text)
}
