import * as Type from 'typebox'
import { Count, listOf, nullable, object, oneOf, Sha256 } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

const StoredText = object({ tail: Type.String({ description: 'The end of the text' }), bytes: Count, file: nullable(Type.String()) })
export type StoredText = OutputOf<typeof StoredText>

const storedBytes = { media_type: Type.String(), bytes: Count, sha256: Sha256, file: Type.String() }
const StoredBytes = object(storedBytes)
export type StoredBytes = OutputOf<typeof StoredBytes>

/** `whole`: where the complete text is if it was shortened. */
const McpPart = Type.Union([
  object({ type: Type.Literal('text'), text: Type.String(), whole: Type.Optional(StoredText) }),
  /** `file_id`: of an image that models and users can see. */
  object({ type: oneOf(['image', 'audio']), ...storedBytes, file_id: Type.Optional(Type.String()) }),
  object({
    type: Type.Literal('resource'),
    uri: Type.String(),
    media_type: nullable(Type.String()),
    text: Type.String(),
    whole: Type.Optional(StoredText),
  }),
  object({ type: Type.Literal('resource_bytes'), uri: Type.String(), ...storedBytes }),
  object({
    type: Type.Literal('resource_link'),
    uri: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    media_type: nullable(Type.String()),
  }),
])
export type McpPart = OutputOf<typeof McpPart>

/** A request of the server to the model during the call, which the user has allowed. Texts are shortened. */
const McpSample = object({
  /** How many there were in the run, and how many are allowed. */
  number: Count,
  limit: Count,
  prompt: Type.String(),
  answer: Type.String(),
  input_tokens: nullable(Count),
  output_tokens: nullable(Count),
})
export type McpSample = OutputOf<typeof McpSample>

/** The result of every tool of an MCP server. */
export const McpOutput = object({
  content: listOf(McpPart),
  structured: Type.Optional(Type.Unknown({ description: 'Structured content' })),
  structured_fault: Type.Optional(Type.String({ description: 'Set when it does not match the output schema that the server declares' })),
  sampled: Type.Optional(listOf(McpSample, { description: 'What the server asked the model during the call' })),
})
export type McpOutput = OutputOf<typeof McpOutput>
