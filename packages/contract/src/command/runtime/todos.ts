import Type, { type Static } from 'typebox'
import { Id, Key, listOf, nullable, object, pageOf } from '../../shape.ts'
import { TodoItem } from '../../sync/schema.ts'
import { type Command, listParams } from '../command.ts'

const { title, state, position } = TodoItem.properties
const note = nullable(Type.String({ maxLength: 4_000 }))

/** One change of the list: with an id, of that item; without one, a new item. */
export const TodoEdit = Type.Union([
  object({
    id: Key,
    title: Type.Optional(title),
    state: Type.Optional(state),
    note: Type.Optional(note),
    position: Type.Optional(position),
  }),
  object({ title, state: Type.Optional(state), note: Type.Optional(note), position: Type.Optional(position) }),
])
export type TodoEdit = Static<typeof TodoEdit>

export const todoCommands = {
  todo_list: {
    summary: 'List the todos of a conversation.',
    params: listParams({ conversation_id: Id }),
    result: pageOf(TodoItem),
  },
  todo_update: {
    summary: 'Add and change todos, also during a run.',
    params: object({ conversation_id: Id, edits: listOf(TodoEdit, { minItems: 1, maxItems: 100 }) }),
    result: object({ todos: listOf(TodoItem) }),
  },
} satisfies Record<string, Command>
