// Which lines of a diff are selected. Pure: a selection is a range of rows, and names lines of one side.
import type { DiffSliceLine } from '@tandem/contract/command'

/** A range of rows. */
export interface LineSelection {
  readonly anchor: number
  readonly head: number
}

/** A line by its number: it stays the same when other rows are shown. */
export interface LineName {
  readonly side: 'before' | 'after'
  readonly line: number
}

/** A selection that survives another comparison. */
export interface LineRange {
  readonly anchor: LineName
  readonly head: LineName
}

export interface NamedLines {
  readonly side: 'before' | 'after'
  readonly from: number
  readonly to: number
  readonly quoted: readonly string[]
}

/** Gaps and notes are not lines. */
export function isLine({ before, after }: DiffSliceLine): boolean {
  return before !== null || after !== null
}

/** The next row that is a line, in a direction; the same one at the end. */
export function nextLine(rows: readonly DiffSliceLine[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at]
    if (row && isLine(row)) return at
  }
  return from
}

/** Null for a gap or a note. */
function nameOf(row: DiffSliceLine | undefined): LineName | null {
  if (row && row.after !== null) return { side: 'after', line: row.after }
  return row && row.before !== null ? { side: 'before', line: row.before } : null
}

/** Null if one of the rows is no line. */
export function rangeOf(rows: readonly DiffSliceLine[], { anchor, head }: LineSelection): LineRange | null {
  const [first, last] = [nameOf(rows[anchor]), nameOf(rows[head])]
  return first && last ? { anchor: first, head: last } : null
}

/** Null if its lines are not among these rows. */
export function rowsOfRange(rows: readonly DiffSliceLine[], { anchor, head }: LineRange): LineSelection | null {
  const at = ({ side, line }: LineName) => rows.findIndex((row) => row[side] === line)
  const selection = { anchor: at(anchor), head: at(head) }
  return selection.anchor < 0 || selection.head < 0 ? null : selection
}

/** The lines of the current version; those of the earlier one if the selection has no other lines. Null without lines. */
export function namedLines(rows: readonly DiffSliceLine[], { anchor, head }: LineSelection): NamedLines | null {
  const selected = rows.slice(Math.min(anchor, head), Math.max(anchor, head) + 1)
  return onSide(selected, 'after') ?? onSide(selected, 'before')
}

function onSide(selected: readonly DiffSliceLine[], side: 'before' | 'after'): NamedLines | null {
  const lines = selected.flatMap((row) => (row[side] === null ? [] : [{ number: row[side], text: row.text }]))
  const [first] = lines
  const last = lines.at(-1)
  return first && last ? { side, from: first.number, to: last.number, quoted: lines.map(({ text }) => text) } : null
}

/** After which row the comment is shown: the last one of its lines. Null if they are not among these rows. */
export function rowOfComment(rows: readonly DiffSliceLine[], { side, to }: Pick<NamedLines, 'side' | 'to'>): number | null {
  const at = rows.findIndex((row) => row[side] === to)
  return at < 0 ? null : at
}
