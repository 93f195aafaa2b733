// The todos in the model's prompt. Pure.
import type { TodoItem } from '@tandem/contract/sync'

const charactersPerToken = 4

/** The newest todos that fit into this number of tokens. */
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
  return ['Your todos:', ...(left === 0 ? [] : [`[${left} older todos omitted]`]), ...kept.toReversed()].join('\n')
}
