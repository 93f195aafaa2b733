import * as Type from 'typebox'
import { Count, Flag, listOf, nullable, object, Sha256 } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

/** A text that may be shortened: then `text_end` is its end, and `file` has the complete text. */
export const shownText = {
  text: Type.String(),
  text_end: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
}
const ShownText = object(shownText)
export type ShownText = OutputOf<typeof ShownText>

/** Text is shown, anything else is stored in a file. */
export const ShownBody = Type.Union([
  object({ kind: Type.Literal('text'), charset: Type.String(), ...shownText }),
  object({ kind: Type.Literal('binary'), file: Type.String(), sha256: Sha256 }),
  object({ kind: Type.Literal('empty') }),
])
export type ShownBody = OutputOf<typeof ShownBody>

const SearchResult = object({
  title: Type.String(),
  url: Type.String(),
  text: Type.String(),
  published: nullable(Type.String()),
})
export type SearchResult = OutputOf<typeof SearchResult>

export const WebSearchOutput = object({ provider: Type.String(), query: Type.String(), page: Count, results: listOf(SearchResult) })
export type WebSearchOutput = OutputOf<typeof WebSearchOutput>

export const WebFetchOutput = object({
  url: Type.String(),
  status: Count,
  content_type: nullable(Type.String()),
  bytes: Count,
  truncated: Flag,
  redirected_from: listOf(Type.String()),
  body: ShownBody,
})
export type WebFetchOutput = OutputOf<typeof WebFetchOutput>

export const WebExtractOutput = object({
  url: Type.String(),
  title: nullable(Type.String()),
  byline: nullable(Type.String()),
  published: nullable(Type.String()),
  site: nullable(Type.String()),
  language: nullable(Type.String()),
  readable: Type.Boolean({ description: 'Whether a main part was found; otherwise it is the whole body' }),
  truncated: Flag,
  redirected_from: listOf(Type.String()),
  ...shownText,
})
export type WebExtractOutput = OutputOf<typeof WebExtractOutput>
