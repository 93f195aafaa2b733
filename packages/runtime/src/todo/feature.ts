import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { todoHandlers } from './commands.ts'
import { todoText } from './prompt.ts'
import { openTodos, type Todos } from './todos.ts'
import { todoTools } from './tools.ts'

/** The todos of each conversation. */
export function openTodoFeature({ store, records, journal }: FeatureContext): Feature & { readonly todos: Todos } {
  const todos = openTodos(store, records, {
    onChanged: (run_id, items) => void journal.append(run_id, { kind: 'todos.changed', todos: [...items] }),
  })
  return {
    name: 'todos',
    todos,
    tools: todoTools(todos),
    commands: todoHandlers({ store, journal, todos }),
    prompt: {
      order: 50,
      max_tokens: 20_000,
      stable: false,
      text: async ({ conversation_id }, room) => todoText(todos.list(conversation_id), room),
    },
  }
}
