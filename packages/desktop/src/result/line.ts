// What a tool answered, in one line.
import { words } from '../strings/window.ts'
import { shownOf } from './family.ts'

export function resultLine(output: unknown): string {
  const shown = shownOf(output)
  switch (shown.as) {
    case 'diff':
      return `${shown.path} ${words.result.added(shown.added)} ${words.result.removed(shown.removed)}`
    case 'terminal':
      return shown.exit_code === null ? '' : `${words.result.exit(shown.exit_code)}, ${words.result.seconds(shown.duration_ms)}`
    case 'files':
      return `${shown.path === '.' ? '' : `${shown.path}, `}${words.result.entries(shown.entries.length + shown.more)}`
    case 'matches':
      return words.result.matches(shown.matches)
    case 'text':
      return shown.title || (shown.text.trim().split('\n', 1)[0] ?? '').slice(0, 200)
    case 'image':
      return shown.title
    case 'picture_file':
      return `${shown.path}, ${words.result.image(shown.media_type, shown.width, shown.height)}`
    case 'json':
      return titlesIn(shown.value) ?? (JSON.stringify(shown.value) ?? '').slice(0, 200)
  }
}

/** Of a list of todos, what they are called. */
export function titlesIn(value: unknown): string | null {
  const todos = typeof value === 'object' && value !== null && 'todos' in value ? value.todos : null
  if (!Array.isArray(todos)) return null
  const titles = todos.flatMap((todo) => (typeof todo?.title === 'string' ? [todo.title] : []))
  return titles.length === 0 ? null : titles.join(', ').slice(0, 200)
}
