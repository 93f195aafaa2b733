import Type, { type Static } from 'typebox'
import { artifactTypes, conflictChoices, diffOmissions } from '../../checkpoint/index.ts'
import { RestorePreviewEntry } from '../../checkpoint/schema.ts'
import { limits } from '../../limits/index.ts'
import { Count, Flag, Id, listOf, nullable, object, oneOf, Text, Timestamp } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'
import { diffLineKinds, fileChanges, undoStates } from './names.ts'

const Path = Type.String({ minLength: 1, maxLength: 4_096 })
const Mode = Type.Integer({ minimum: 0, maximum: 0o7777, description: 'Permission bits' })

/** Which changes: those of all runs of a conversation, or of one of them. Members that share the folder are included. */
const scope = { conversation_id: Id, run_id: Type.Optional(Id) }

/** A file that runs changed, compared with its state before the first of them did. */
export const ChangedFile = object({
  path: Path,
  change: oneOf(fileChanges),
  type: oneOf(artifactTypes),
  /** The earlier path of a renamed file. */
  from: Type.Optional(Path),
  /** Present if the permissions changed. */
  mode: Type.Optional(object({ before: Mode, after: Mode })),
  /** In bytes; null for a side that does not exist or is not a file. */
  size: object({ before: nullable(Count), after: nullable(Count) }),
  /** Present if it was requested and the file is text that is not too large. */
  lines: Type.Optional(object({ added: Count, removed: Count })),
  undo: oneOf(undoStates),
  /** Why it cannot simply be undone. */
  reason: Type.Optional(Text),
  /** It changed while a background command ran. */
  background: Type.Optional(Type.Literal(true)),
  /** The background command that may have changed it still runs: undoing the change ends it. */
  running: Type.Optional(Type.Literal(true)),
})
export type ChangedFile = Static<typeof ChangedFile>

/** One row of a unified diff, with its line numbers. Numbers are null on the side where the line does not exist. */
export const DiffSliceLine = object({
  kind: oneOf(diffLineKinds),
  before: nullable(Count),
  after: nullable(Count),
  /** Unchanged text of the file: the user interface makes hidden characters visible. */
  text: Type.String({ maxLength: limits.diff_line_characters }),
  /** The line is longer. */
  cut: Type.Optional(Type.Literal(true)),
})
export type DiffSliceLine = Static<typeof DiffSliceLine>

/** A part of the diff of one file. */
export const DiffSlice = Type.Union([
  object({
    kind: Type.Literal('text'),
    lines: listOf(DiffSliceLine, { maxItems: limits.diff_slice_lines }),
    /** Of the whole diff, and where the next part begins. */
    total: Count,
    next: nullable(Count),
    added: Count,
    removed: Count,
    /** Finding the smallest difference would take too long: the changed part is shown as replaced. */
    coarse: Flag,
  }),
  object({ kind: Type.Literal('none'), why: oneOf(diffOmissions) }),
])
export type DiffSlice = Static<typeof DiffSlice>

export const changeCommands = {
  changes_get: {
    summary: 'List the files that the runs of a conversation, or one of them, changed since their first recovery point.',
    params: listParams({
      ...scope,
      /** Whether the files of this page include how many lines changed. */
      lines: Type.Optional(Flag),
      /** Of an earlier answer: the next page of the same comparison. It is compared again if this is no longer known. */
      snapshot: Type.Optional(Id),
    }),
    result: object({
      /** Of all files. */
      counts: object({ added: Count, changed: Count, removed: Count, renamed: Count }),
      /** Files that others changed since. */
      conflicts: Count,
      /** Files of version control (.git) that changed. They are not listed: they are restored only as a whole. */
      repository_files: Count,
      /** The folders that the runs work in. */
      folders: listOf(Path, { maxItems: 1_000 }),
      /** Of these, those that no longer exist: their files are not compared. */
      missing_folders: listOf(Path, { maxItems: 1_000 }),
      /** When the first recovery point was created; null if nothing was changed. */
      since: nullable(Timestamp),
      /** Earlier recovery points were deleted: what changed before them is not listed. */
      incomplete: Flag,
      snapshot: Id,
      items: listOf(ChangedFile),
      next_cursor: nullable(Type.String()),
    }),
  },
  changes_diff: {
    summary: 'Show a part of the diff of one changed file, from the first recovery point to now.',
    params: object({
      ...scope,
      path: Path,
      snapshot: Type.Optional(Id),
      /** The first row of the part. */
      from: Type.Optional(Count),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.diff_slice_lines })),
    }),
    result: object({ path: Path, diff: DiffSlice }),
  },
  changes_undo: {
    summary: 'Restore chosen files to their state before the first change, or to that of a recovery point. The runs stay as they are.',
    params: object({
      ...scope,
      paths: listOf(Path, { minItems: 1, maxItems: 1_000 }),
      on_conflict: oneOf(conflictChoices),
      /** Ends background commands that still run and may have changed the files. Without it, such an undo is refused; others keep running. */
      end_background: Type.Optional(Flag),
      /** The recovery point that an earlier answer named: undoes that undo. */
      checkpoint_id: Type.Optional(Id),
    }),
    result: object({
      /** The run whose recovery point was used. */
      run_id: Id,
      restored: Count,
      /** Pass it to `changes_undo` with the same paths to undo this. */
      safety_checkpoint_id: Id,
      /** Paths that were not restored or lost something, and why. */
      left_alone: listOf(RestorePreviewEntry, { maxItems: 200 }),
    }),
  },
} satisfies Record<string, Command>
