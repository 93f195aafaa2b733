// The text diffs of one page of a preview. Limited in every dimension: a user reads it, and waits for it.
import { createRequire } from 'node:module'
import type { DiffOmission, RestoreDiff } from '@tandem/contract/checkpoint'
import { limits } from '@tandem/contract/limits'
import type { Contents } from '../content/contents.ts'
import { textOf } from '../content/file-text.ts'
import { bytesAt, bytesOfFile, isReadable, isSameContent, keptBytes, sizeOf } from './readable-image.ts'
import type { RestoreDecision } from './restore-rule.ts'

export interface DiffPorts {
  readonly contents: Pick<Contents, 'read'>
  /** Where contents are that were not stored but only moved. */
  readonly moved: ReadonlyMap<string, string>
  elapsed(): number
}

const fileBytes = 1024 * 1024
const pageBytes = 16 * 1024 * 1024
const pageCharacters = 512 * 1024
const pageMilliseconds = 2_000
/** Beyond these limits, finding the shortest diff costs more than it is worth. */
const mostEdits = 2_000
const diffMilliseconds = 250

/** The functions of the thread are synchronous, so the module cannot be awaited; a thread that shows no diff never loads it. */
const load = createRequire(import.meta.url)

/** Undefined where a diff makes no sense: folders, and what cannot be restored. */
export function restoreDiffs(
  decisions: readonly RestoreDecision[],
  { contents, moved, elapsed }: DiffPorts,
): readonly (RestoreDiff | undefined)[] {
  const left = { bytes: pageBytes, characters: pageCharacters, until: elapsed() + pageMilliseconds }
  return decisions.map((decision) => {
    const { path, now, to, hindrance } = decision
    if (hindrance?.change === 'unrecoverable' || !isReadable(now) || !isReadable(to)) return undefined
    if (isSameContent(now, to)) return none('permissions_only')
    const size = sizeOf(now) + sizeOf(to)
    if (sizeOf(now) > fileBytes || sizeOf(to) > fileBytes) return none('too_large')
    if (size > left.bytes || left.characters <= 0 || elapsed() > left.until) return none('page_full')
    left.bytes -= size
    const from = moved.get(path)
    const diff = diffOf(bytesAt(path, now, fileBytes), from === undefined ? keptBytes(contents, to) : bytesOfFile(from, fileBytes))
    if (diff.kind === 'text') left.characters -= diff.hunks.length
    return diff
  })
}

function diffOf(now: Buffer | null, to: Buffer | null): RestoreDiff {
  if (!now || !to) return none('unreadable')
  const before = textOf(now)
  const after = textOf(to)
  if (before === null || after === null) return none('binary')
  if (before === after) return none(now.equals(to) ? 'permissions_only' : 'same_text')
  const lines = before === '' || after === '' ? oneSided(before, after) : hunksOf(before, after)
  if (!lines) return none('too_different')
  const whole = lines.join('\n')
  return {
    kind: 'text',
    hunks: cut(whole),
    lines_added: lines.filter((line) => line.startsWith('+')).length,
    lines_removed: lines.filter((line) => line.startsWith('-')).length,
    truncated: whole.length > limits.restore_diff_characters,
  }
}

function hunksOf(before: string, after: string): string[] | null {
  const { structuredPatch } = load('diff') as typeof import('diff')
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: mostEdits, timeout: diffMilliseconds })
  if (!patch) return null
  return patch.hunks.flatMap((hunk) => [head(hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines), ...hunk.lines])
}

/** The whole file is added or removed: no comparison needed. */
function oneSided(before: string, after: string): string[] {
  const [mark, text] = after === '' ? ['-', before] : ['+', after]
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  if (isEnded) lines.pop()
  const marked = lines.map((line) => mark + line)
  if (!isEnded) marked.push('\\ No newline at end of file')
  return [after === '' ? head(1, lines.length, 1, 0) : head(1, 0, 1, lines.length), ...marked]
}

/** For a side without lines, the number of the line before it. */
function head(oldStart: number, oldLines: number, newStart: number, newLines: number): string {
  return `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`
}

/** At the end of a line, or inside a line that is too long by itself, but never inside a character. */
function cut(text: string): string {
  const most = limits.restore_diff_characters
  if (text.length <= most) return text
  const line = text.lastIndexOf('\n', most)
  const firstLine = text.indexOf('\n')
  return line > firstLine ? text.slice(0, line) : text.slice(0, most).toWellFormed()
}

function none(why: DiffOmission): RestoreDiff {
  return { kind: 'none', why }
}
