import * as Type from 'typebox'
import { listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

export const SkillLoadOutput = object({
  name: Type.String(),
  file: Type.Union([Type.String(), Type.Null()], { description: 'The file that was read; null for the instructions' }),
  text: Type.String(),
  /** Absent in older records. */
  folder: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: 'The folder of the skill; null if only the instructions are available' }),
  ),
  files: listOf(Type.String()),
  allowed_tools: listOf(Type.String()),
})
export type SkillLoadOutput = OutputOf<typeof SkillLoadOutput>
