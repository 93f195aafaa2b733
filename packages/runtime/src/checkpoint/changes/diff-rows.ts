// A unified diff as rows with line numbers, so that parts of it can be shown and lines can be named.
import { createRequire } from 'node:module'
import type { DiffSlice, DiffSliceLine } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'

export interface DiffRows {
  readonly rows: readonly DiffSliceLine[]
  readonly added: number
  readonly removed: number
  /** The smallest difference was not found in time: the changed part is shown as replaced. */
  readonly coarse: boolean
}

export interface DiffEffort {
  /** Beyond these limits, finding the smallest diff costs more than it is worth. */
  readonly edits: number
  readonly milliseconds: number
}

const context = 3
const usualEffort: DiffEffort = { edits: 4_000, milliseconds: 500 }

/** The functions of the thread are synchronous, so the module cannot be awaited; a thread that shows no diff never loads it. */
const load = createRequire(import.meta.url)

export function diffRows(before: string, after: string, effort: DiffEffort = usualEffort): DiffRows {
  const [left, right] = [linesOf(before), linesOf(after)]
  if (left.lines.length === 0 || right.lines.length === 0) return replaced(left, right, false)
  const { structuredPatch } = load('diff') as typeof import('diff')
  const patch = structuredPatch('', '', before, after, '', '', { context, maxEditLength: effort.edits, timeout: effort.milliseconds })
  if (!patch) return replaced(left, right, true)
  const rows = new Rows()
  for (const { oldStart, oldLines, newStart, newLines, lines } of patch.hunks) {
    // For a side without lines, the hunk names the line before it.
    rows.moveTo(oldLines === 0 ? oldStart + 1 : oldStart, newLines === 0 ? newStart + 1 : newStart)
    for (const line of lines) rows.add(line[0] ?? ' ', line.slice(1))
  }
  return rows.finished(left.lines.length, false)
}

export function sliceOf({ rows, added, removed, coarse }: DiffRows, from: number, limit: number): DiffSlice {
  const next = from + limit < rows.length ? from + limit : null
  return { kind: 'text', lines: rows.slice(from, from + limit), total: rows.length, next, added, removed, coarse }
}

interface TextLines {
  readonly lines: readonly string[]
  readonly isEnded: boolean
}

function linesOf(text: string): TextLines {
  if (text === '') return { lines: [], isEnded: true }
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  return { lines: isEnded ? lines.slice(0, -1) : lines, isEnded }
}

/** Everything between the first and the last difference. */
function replaced(left: TextLines, right: TextLines, coarse: boolean): DiffRows {
  const most = Math.min(left.lines.length, right.lines.length)
  let start = 0
  while (start < most && left.lines[start] === right.lines[start]) start += 1
  let end = 0
  // A last line without a line break differs from the same line with one.
  const sameEnd = left.isEnded === right.isEnded
  while (sameEnd && end < most - start && left.lines.at(-1 - end) === right.lines.at(-1 - end)) end += 1
  if (!sameEnd && start === most) start = Math.max(0, start - 1)
  const rows = new Rows()
  const first = Math.max(0, start - context)
  rows.moveTo(first + 1, first + 1)
  for (const line of left.lines.slice(first, start)) rows.add(' ', line)
  for (const line of left.lines.slice(start, left.lines.length - end)) rows.add('-', line)
  if (!left.isEnded && end === 0) rows.add('\\', noLineBreak)
  for (const line of right.lines.slice(start, right.lines.length - end)) rows.add('+', line)
  if (!right.isEnded && end === 0) rows.add('\\', noLineBreak)
  for (const line of left.lines.slice(left.lines.length - end).slice(0, context)) rows.add(' ', line)
  return rows.finished(left.lines.length, coarse)
}

const noLineBreak = ' No newline at end of file'

class Rows {
  readonly #rows: DiffSliceLine[] = []
  #before = 1
  #after = 1
  #added = 0
  #removed = 0

  moveTo(before: number, after: number): void {
    if (before > this.#before) this.#rows.push(gap)
    this.#before = before
    this.#after = after
  }

  add(mark: string, text: string): void {
    if (mark === '\\') this.#rows.push({ kind: 'note', before: null, after: null, text: text.trim() })
    else if (mark === '+') {
      this.#rows.push({ kind: 'after', before: null, after: this.#after++, ...shortened(text) })
      this.#added += 1
    } else if (mark === '-') {
      this.#rows.push({ kind: 'before', before: this.#before++, after: null, ...shortened(text) })
      this.#removed += 1
    } else this.#rows.push({ kind: 'same', before: this.#before++, after: this.#after++, ...shortened(text) })
  }

  finished(linesBefore: number, coarse: boolean): DiffRows {
    if (this.#rows.length > 0 && this.#before <= linesBefore) this.#rows.push(gap)
    return { rows: this.#rows, added: this.#added, removed: this.#removed, coarse }
  }
}

const gap: DiffSliceLine = { kind: 'gap', before: null, after: null, text: '' }

/** Never inside a character. */
function shortened(text: string): Pick<DiffSliceLine, 'text' | 'cut'> {
  const most = limits.diff_line_characters
  if (text.length <= most) return { text: text.isWellFormed() ? text : text.toWellFormed() }
  const cut = text.slice(0, most)
  return { text: (cut.isWellFormed() ? cut : cut.slice(0, -1)).toWellFormed(), cut: true }
}
