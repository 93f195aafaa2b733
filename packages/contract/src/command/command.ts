// What a command consists of, and the parameters that lists share.
import Type, { type TSchema } from 'typebox'
import { limits } from '../limits/index.ts'
import { object } from '../shape.ts'

export interface Command<Params extends TSchema = TSchema, Result extends TSchema = TSchema> {
  readonly summary: string
  readonly params: Params
  readonly result: Result
}

export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.list, default: limits.list_default })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
}

/** The parameters of a list: filters, each optional, and the page. */
export function listParams<Filters extends Parameters<typeof object>[0]>(filters: Filters) {
  return object({ ...filters, ...paging })
}
