// The parameters of every list and every versioned resource of the API.
import Type from 'typebox'
import { limits } from '../limits/index.ts'
import { Id, object } from '../shape.ts'

/** The fields of a list's query; a list adds its filters. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.list, default: limits.list_default })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'next_cursor of the previous page' })),
}

export const IdParams = object({ id: Id })

/** A creating request; the caller chooses one key per item. */
export const IdempotencyHeaders = object({
  'idempotency-key': Type.Optional(Type.String({ minLength: 8, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
})

/** The `ETag` last read: the write is refused if the resource has changed since. */
export const IfMatchHeaders = object({
  'if-match': Type.Optional(Type.String({ pattern: '^(?:\\*|"[1-9][0-9]{0,15}")$', description: 'The version in quotes, or *' })),
})
