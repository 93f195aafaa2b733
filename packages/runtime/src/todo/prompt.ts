// What the model is told of its todos. Pure.
import type { TodoItem } from '@tandem/contract/sync'

const charactersPerToken = 4

/** The newest that fit into so many tokens. */
export function todoText(todos: readonly TodoItem[], room: number): string {
  const open = todos.filter(({ state }) => state !== 'deleted')
  if (open.length === 0) return ''
  const lines = open.map(({ id, title, state }) => `- [${state}] ${title} (${id})`)
  let taken = 0
  const kept = lines.toReversed().filter((line) => {
    taken += line.length + 1
    return taken <= room * charactersPerToken
  })
  const left = lines.length - kept.length
  return ['Your todos:', ...(left === 0 ? [] : [`[${left} older ones are left out]`]), ...kept.toReversed()].join('\n')
}
