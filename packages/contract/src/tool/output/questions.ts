import * as Type from 'typebox'
import { Line, listOf, nullable, object, Text } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

/** A `QuestionAnswer` (`run/schema.ts`): options by their value, text, or both. */
export const AskUserOutput = Type.Union([
  object({ chosen: listOf(Line, { minItems: 1, maxItems: 20 }), text: nullable(Text) }),
  object({ chosen: listOf(Line, { maxItems: 0 }), text: Type.String({ minLength: 1, maxLength: 65_536 }) }),
])
export type AskUserOutput = OutputOf<typeof AskUserOutput>
