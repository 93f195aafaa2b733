// What a call would do, as an approval shows it. It is computed when the user is asked, and stays on the device of the run: it can contain
// text of files that no one has approved to leave the device.
import Type, { type Static } from 'typebox'
import { Count, Flag, Id, Line, listOf, nullable, object, oneOf, Text } from '../shape.ts'
import { MergedFile } from '../team/merge-schema.ts'
import { pageActions, previewLimits } from './preview.ts'

/** Relative to the workspace if it is inside, with all links followed. */
const Path = Type.String({ maxLength: 16_384 })
const LongText = Type.String({ maxLength: previewLimits.text_characters })

function preview<const Kind extends string, Fields extends Parameters<typeof object>[0]>(kind: Kind, fields: Fields) {
  return object({ kind: Type.Literal(kind), ...fields })
}

export const CallPreview = Type.Union([
  /** `lines_added` and `lines_removed` are null if there is no diff: the file is not text, or the change is too large. */
  preview('change', {
    path: Path,
    creates: Flag,
    diff: LongText,
    diff_truncated: Flag,
    lines_added: nullable(Count),
    lines_removed: nullable(Count),
    /** What a diff of lines does not show: encoding, line endings, new folders. */
    notes: listOf(Text, { maxItems: 10 }),
  }),
  /** `folders` counts the folder itself. `more`: how many files are not in `paths`. */
  preview('delete', {
    path: Path,
    folders: Count,
    files: Count,
    bytes: Count,
    paths: listOf(Path, { maxItems: previewLimits.paths }),
    more: Count,
    /** The folder contains more than was counted. */
    at_least: Flag,
  }),
  preview('move', { from: Path, to: Path, replaces: Flag }),
  preview('folder', { path: Path }),
  /** `language` is null for a shell command; `source` is false if a script file runs, with `command` as its command line. */
  preview('command', {
    command: LongText,
    command_truncated: Flag,
    language: nullable(Text),
    source: Flag,
    cwd: Path,
    background: Flag,
    parts: listOf(object({ text: Text, explains: Text }), { maxItems: previewLimits.parts }),
    /** The other machine on which it runs, and the files that are transferred to it before and from it afterwards. */
    remote: Type.Optional(object({ name: Text, sends: listOf(Path, { maxItems: 100 }), fetches: listOf(Path, { maxItems: 100 }) })),
  }),
  preview('request', {
    method: Text,
    url: Text,
    headers: listOf(object({ name: Text, value: Text }), { maxItems: 60 }),
    body: nullable(LongText),
    body_truncated: Flag,
  }),
  /** `target` names an element, `value` is what is typed, chosen or run, `address` the page it happens on. */
  preview('page', {
    action: oneOf(pageActions),
    target: nullable(Text),
    value: nullable(LongText),
    value_truncated: Flag,
    address: nullable(Text),
  }),
  preview('process', { pid: Count, command: LongText }),
  preview('mcp', { server: Text, tool: Text, description: Type.Optional(Text) }),
  /** `more`: how many files are not in `files`. Files with conflicts come first. */
  preview('merge', {
    members: listOf(object({ run_id: Id, title: Line }), { maxItems: 100 }),
    files: listOf(MergedFile, { maxItems: previewLimits.paths }),
    more: Count,
    open_conflicts: Count,
    /** What is not merged, and why. */
    notes: listOf(Text, { maxItems: 50 }),
  }),
  /** In the current state, the call would fail. */
  preview('fails', { message: Text }),
])
export type CallPreview = Static<typeof CallPreview>
