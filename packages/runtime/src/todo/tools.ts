// The agent's todo list, which the user can see and change at any time.

import type { TodoEdit } from '@tandem/contract/command'
import type { TodoItem } from '@tandem/contract/sync'
import { TodosOutput } from '@tandem/contract/tool/output'
import Type, { type TSchema } from 'typebox'
import { ToolFailure } from '../call/failure.ts'
import type { Tool } from '../call/tool.ts'
import type { Todos, TodosOutcome } from './todos.ts'

const closed = { additionalProperties: false }
const title = Type.String({ minLength: 1, maxLength: 500, description: 'What to do, in a few words' })
const note = Type.String({ maxLength: 4_000, description: 'Additional information' })
const id = Type.String({ minLength: 1, maxLength: 200, description: 'The id of the todo, as todo.list shows it' })
const state = Type.Union(
  (['pending', 'in_progress', 'completed', 'canceled', 'deleted'] as const).map((name) => Type.Literal(name)),
  { description: 'The new state' },
)
const limits = { seconds: 10 }
const noted = () => [{ does: 'note' as const }]

export function todoTools(todos: Todos): Tool[] {
  function kept(outcome: TodosOutcome): TodosOutput {
    if (outcome.ok) return toShown(outcome.value)
    throw new ToolFailure(outcome.code, outcome.message, { remedy: remedies[outcome.code], recoverability: 'retryable' })
  }

  return [
    tool({
      name: 'todo.create',
      summary:
        'Add todos to the list of this conversation, in the order in which to do them. Use it for work of three or more steps; ' +
        'the user sees the list and can change it. Returns the whole list.',
      input: Type.Object(
        {
          todos: Type.Array(Type.Object({ title, note: Type.Optional(note) }, closed), {
            minItems: 1,
            maxItems: 50,
            description: 'The todos to add',
          }),
        },
        closed,
      ),
      output: TodosOutput,
      effects: noted,
      limits,
      async run({ todos: added }, { ids }) {
        return kept(todos.edit(ids.conversation_id, ids.run_id, added as TodoEdit[]))
      },
      present,
    }),
    tool({
      name: 'todo.update',
      summary: 'Change one todo: its title, note or state. Set it to in_progress when you start it. Returns the whole list.',
      input: Type.Object({ id, title: Type.Optional(title), note: Type.Optional(note), state: Type.Optional(state) }, closed),
      output: TodosOutput,
      effects: noted,
      limits,
      async run(edit, { ids }) {
        return kept(todos.edit(ids.conversation_id, ids.run_id, [edit as TodoEdit]))
      },
      present,
    }),
    tool({
      name: 'todo.list',
      summary: 'Show the todos of this conversation with their ids and states.',
      input: Type.Object({}, closed),
      output: TodosOutput,
      effects: () => [],
      limits,
      async run(_input, { ids }) {
        return toShown(todos.list(ids.conversation_id))
      },
      present,
    }),
    tool({
      name: 'todo.complete',
      summary: 'Mark todos as completed, as soon as each is really done. Returns the whole list.',
      input: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: 50, description: 'The ids of the completed todos' }) }, closed),
      output: TodosOutput,
      effects: noted,
      limits,
      async run(input, { ids }) {
        const edits = input.ids.map((one): TodoEdit => ({ id: one, state: 'completed' }))
        return kept(todos.edit(ids.conversation_id, ids.run_id, edits))
      },
      present,
    }),
  ]
}

const remedies = {
  not_found: 'Call todo.list to see the todos with their ids.',
  limit_reached: 'Continue without adding todos, or shorten the notes of existing ones.',
} as const

function toShown(items: readonly TodoItem[]): TodosOutput {
  return { todos: items.map((item) => ({ id: item.id, title: item.title, state: item.state, ...(item.note ? { note: item.note } : {}) })) }
}

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]', canceled: '[-]', deleted: '[-]' } as const

function present({ todos }: TodosOutput): string {
  if (todos.length === 0) return 'There are no todos.'
  return todos.map((item) => `${marks[item.state]} ${item.id} ${item.title}${item.note ? ` (${item.note})` : ''}`).join('\n')
}

/** Preserves the types of the literal, like `defineTool`. */
function tool<const Input extends TSchema, const Output extends TSchema>(literal: Tool<Input, Output>): Tool {
  return literal
}
