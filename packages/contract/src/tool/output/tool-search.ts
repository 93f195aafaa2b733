import * as Type from 'typebox'
import { listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

const Count = Type.Integer({ minimum: 0 })

/** The tools that a search found. From then on the run has them. */
export const ToolSearchOutput = object({
  query: Type.String(),
  tools: listOf(object({ tool: Type.String(), server: Type.String(), description: Type.String() })),
  /** Further tools that match, but were not loaded. */
  more: Count,
  /** The servers with how many tools each has. */
  servers: listOf(object({ server: Type.String(), name: Type.String(), tools: Count })),
})
export type ToolSearchOutput = OutputOf<typeof ToolSearchOutput>
