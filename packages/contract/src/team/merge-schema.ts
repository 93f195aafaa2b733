// What a merge of the work of members would do, for the person who approves it.
import Type, { type Static } from 'typebox'
import { Count, Flag, Line, listOf, nullable, object, oneOf, Text } from '../shape.ts'
import { conflictChoices, conflictKinds, pathChanges } from './index.ts'

const Path = Type.String({ minLength: 1, maxLength: 4_096 })

const Side = object({
  /** Whose change it is: the title of a member, or the name of the agent of the run that merges; null if it is not known. */
  author: nullable(Line),
  /** Null if this side has no such file or no lines here. */
  text: nullable(Text),
  truncated: Flag,
})

export const MergeConflict = object({
  /** Names it in a resolution. */
  conflict_id: Line,
  kind: oneOf(conflictKinds),
  /** The first line of it in the current file; null if it concerns the whole file. */
  line: nullable(Count),
  /** What it is about, in a sentence. */
  message: Text,
  base: Side,
  current: Side,
  member: Side,
  /** The ways it can be resolved. */
  choices: listOf(oneOf(conflictChoices), { maxItems: 4 }),
  /** How it will be resolved; null if it is open. */
  resolved: nullable(oneOf(conflictChoices)),
})
export type MergeConflict = Static<typeof MergeConflict>

export const MergedFile = object({
  path: Path,
  change: oneOf(pathChanges),
  /** Its earlier path, if it is renamed. */
  from: nullable(Path),
  /** The titles of the members whose changes it gets. */
  authors: listOf(Line, { maxItems: 100 }),
  /** Against the current file; empty if it is not text. */
  diff: Text,
  diff_truncated: Flag,
  lines_added: nullable(Count),
  lines_removed: nullable(Count),
  conflicts: listOf(MergeConflict, { maxItems: 1_000 }),
})
export type MergedFile = Static<typeof MergedFile>
