import * as Type from 'typebox'
import { extensibleOneOf, listOf, object } from '../../shape.ts'
import type { TodoItem } from '../../sync/schema.ts'
import type { OutputOf } from './output-of.ts'

const states = ['pending', 'in_progress', 'completed', 'canceled', 'deleted'] as const satisfies readonly TodoItem['state'][]

/** The whole list of the conversation, after the call. */
export const TodosOutput = object({
  todos: listOf(object({ id: Type.String(), title: Type.String(), state: extensibleOneOf(states), note: Type.Optional(Type.String()) })),
})
export type TodosOutput = OutputOf<typeof TodosOutput>
