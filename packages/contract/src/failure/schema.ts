import Type, { type Static } from 'typebox'
import { extensibleOneOf, Line, listOf, object, oneOf, Text } from '../shape.ts'
import { failureStages, failureTaxonomies, recoverabilities } from './index.ts'

/** Attached to each key failure event. */
export const FailureContract = object({
  taxonomy: oneOf(failureTaxonomies),
  stage: extensibleOneOf(failureStages),
  source: Type.String({ minLength: 1, maxLength: 200, description: 'The part that failed: a tool, a server, a subsystem' }),
  reason_code: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 100 }),
  recoverability: oneOf(recoverabilities),
  details: object({
    message: Text,
    /** What it happened to: a path (a marked one if it is synchronized), a host, a tool, an id. */
    subject: Type.Optional(Line),
    remedy: Type.Optional(Line),
    facts: Type.Optional(listOf(object({ name: Line, value: Text }), { maxItems: 50 })),
  }),
})
export type FailureContract = Static<typeof FailureContract>
