import * as Type from 'typebox'
import { knowledgeOriginKinds, knowledgeSourceStates } from '../../knowledge/state.ts'
import { extensibleOneOf, listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

const Count = Type.Integer({ minimum: 0 })

const ShownSource = object({
  source_id: Type.String(),
  name: Type.String(),
  kind: extensibleOneOf(knowledgeOriginKinds),
  state: extensibleOneOf(knowledgeSourceStates),
  files: Count,
  left_out: Count,
  passages: Count,
})

/** The source as it was when the call returned: it is read in the background. */
export const KbIngestOutput = object({ source: ShownSource, note: Type.Union([Type.String(), Type.Null()]) })
export type KbIngestOutput = OutputOf<typeof KbIngestOutput>

export const KbReindexOutput = object({ sources: listOf(ShownSource) })
export type KbReindexOutput = OutputOf<typeof KbReindexOutput>

export const KbSearchOutput = object({
  passages: listOf(
    object({
      id: Type.String(),
      source_id: Type.String(),
      citation: Type.String(),
      name: Type.String(),
      headings: listOf(Type.String()),
      text: Type.String(),
    }),
  ),
  /** Why there may be more. */
  note: Type.Optional(Type.String()),
})
export type KbSearchOutput = OutputOf<typeof KbSearchOutput>
