import Type, { type Static } from 'typebox'
import { Count, Line, listOf, object, oneOf, Text, Timestamp, Version } from '../shape.ts'
import { problemCodes } from './index.ts'

export const ProblemCode = oneOf(problemCodes)

/** The body of every HTTP error response (RFC 9457). */
export const Problem = object({
  type: Type.String({ pattern: '^urn:tandem:problem:[a-z0-9_]+$' }),
  title: Line,
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String({ maxLength: 4_000, description: 'What happened in this case, and to which item' }),
  code: ProblemCode,
  request_id: Line,
  remedy: Line,
  errors: Type.Optional(
    listOf(object({ pointer: Type.String({ maxLength: 1_000, description: 'JSON pointer into the request' }), message: Text }), {
      maxItems: 100,
      description: 'Each part of the request that is wrong',
    }),
  ),
  limits: Type.Optional(
    listOf(object({ name: Line, limit: Count, actual: Type.Optional(Count) }), {
      maxItems: 10,
      description: 'The limits that were exceeded',
    }),
  ),
  allowed: Type.Optional(listOf(Line, { maxItems: 50, description: 'What is allowed instead: states, methods' })),
  current_version: Type.Optional(Version),
  retry_after_seconds: Type.Optional(Count),
  server_ts: Type.Optional(Timestamp),
})
export type Problem = Static<typeof Problem>
