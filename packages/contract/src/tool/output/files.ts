// Imported as a namespace, here and in the other files of this folder: the window loads them, and its bundle leaves out what they do not use.
import * as Type from 'typebox'
import { Count, extensibleOneOf, Flag, listOf, nullable, object, oneOf, Sha256 } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

const Notes = listOf(Type.String(), { description: 'What to know about the result' })

export const FsListOutput = object({
  path: Type.String(),
  entries: listOf(
    object({
      path: Type.String({ description: 'Relative to the listed folder' }),
      type: extensibleOneOf(['file', 'directory', 'link', 'other']),
      size: Count,
      modified: Type.String(),
      target: Type.Optional(Type.String({ description: 'The target of a link, as stored in the link' })),
    }),
  ),
  more: Type.Integer({ minimum: 0, description: 'The number of entries that were left out' }),
})
export type FsListOutput = OutputOf<typeof FsListOutput>

const ReadText = object({
  kind: Type.Literal('text'),
  path: Type.String(),
  encoding: Type.String(),
  bom: Flag,
  line_ending: extensibleOneOf(['lf', 'crlf', 'mixed', 'none']),
  size: Count,
  sha256: nullable(Sha256),
  total_lines: nullable(Count),
  start_line: nullable(Count),
  end_line: nullable(Count),
  content: Type.String(),
  next_offset: nullable(Count),
  notes: Notes,
})

const ReadBinary = object({
  kind: oneOf(['binary', 'image']),
  path: Type.String(),
  media_type: Type.String(),
  size: Count,
  sha256: nullable(Sha256),
  dimensions: nullable(object({ width: Count, height: Count })),
  /** Of an image that models and users can see; absent in older records. */
  file_id: Type.Optional(Type.String()),
  notes: Notes,
})

/** `sha256`, `total_lines` and the line numbers are null if the file is too large; `next_offset` is null at the end. */
export const FsReadOutput = Type.Union([ReadText, ReadBinary])
export type FsReadOutput = OutputOf<typeof FsReadOutput>
export type ReadText = OutputOf<typeof ReadText>
export type ReadBinary = OutputOf<typeof ReadBinary>

/** `matches` counts matching lines, also in `files`, if only the number of matching lines per file was requested. */
export const FsSearchOutput = object({
  path: Type.String(),
  lines: listOf(object({ path: Type.String(), line: Count, text: Type.String(), match: Flag })),
  files: listOf(object({ path: Type.String(), matched_lines: Count })),
  matches: Count,
  truncated: Type.Boolean({ description: 'Whether there are more results than requested' }),
  notes: Notes,
})
export type FsSearchOutput = OutputOf<typeof FsSearchOutput>

const change = {
  bytes: Count,
  sha256: Sha256,
  diff: Type.String(),
  diff_truncated: Flag,
  lines_added: nullable(Count),
  lines_removed: nullable(Count),
}

export const FsWriteOutput = object({
  path: Type.String(),
  outcome: oneOf(['created', 'replaced', 'unchanged']),
  encoding: Type.String(),
  ...change,
})
export type FsWriteOutput = OutputOf<typeof FsWriteOutput>

export const FsEditOutput = object({
  path: Type.String(),
  replaced: listOf(Count, { description: 'The number of replacements made by each edit' }),
  ...change,
})
export type FsEditOutput = OutputOf<typeof FsEditOutput>

export const FsMoveOutput = object({ from: Type.String(), to: Type.String(), replaced: Flag })
export type FsMoveOutput = OutputOf<typeof FsMoveOutput>

export const FsDeleteOutput = object({
  path: Type.String(),
  entries: Type.Integer({ minimum: 0, description: 'The total number of files, links and folders' }),
})
export type FsDeleteOutput = OutputOf<typeof FsDeleteOutput>

export const FsMkdirOutput = object({
  path: Type.String(),
  created: listOf(Type.String(), { description: 'The folders that were created, outermost first' }),
})
export type FsMkdirOutput = OutputOf<typeof FsMkdirOutput>
