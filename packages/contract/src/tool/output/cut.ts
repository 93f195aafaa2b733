import * as Type from 'typebox'
import { Count, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

/** What is recorded of an output that is too long: the beginning and the end of its JSON, and its full length. */
export const TruncatedOutput = object({ beginning: Type.String(), end: Type.String(), characters: Count })
export type TruncatedOutput = OutputOf<typeof TruncatedOutput>
