import * as Type from 'typebox'
import { memoryAuthorities, memoryKinds, memoryStates } from '../../memory/index.ts'
import { extensibleOneOf, listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

const ShownMemory = object({
  id: Type.String(),
  memory_kind: extensibleOneOf(memoryKinds),
  content: Type.String(),
  state: extensibleOneOf(memoryStates),
  authority: extensibleOneOf(memoryAuthorities),
  learned_at: Type.String(),
  /** Memories that say something else about the same thing; the user decides. */
  conflicts_with: listOf(Type.String()),
})

/** The memory after the call. `note` says what is special about it, for example that the user has to confirm it first. */
export const MemoryOutput = object({ memory: ShownMemory, note: Type.Union([Type.String(), Type.Null()]) })
export type MemoryOutput = OutputOf<typeof MemoryOutput>

export const MemorySearchOutput = object({
  memories: listOf(ShownMemory),
  /** What was said word for word, with when and by whom. */
  evidence: listOf(object({ source: Type.String(), id: Type.String(), excerpt: Type.String(), said_at: Type.String() })),
  /** Why there may be more. */
  note: Type.Optional(Type.String()),
})
export type MemorySearchOutput = OutputOf<typeof MemorySearchOutput>
