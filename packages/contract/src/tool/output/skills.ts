import * as Type from 'typebox'
import { listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

export const SkillLoadOutput = object({
  name: Type.String(),
  file: Type.Union([Type.String(), Type.Null()], { description: 'The file that was read; null for the instructions' }),
  text: Type.String(),
  files: listOf(Type.String()),
  allowed_tools: listOf(Type.String()),
})
export type SkillLoadOutput = OutputOf<typeof SkillLoadOutput>
