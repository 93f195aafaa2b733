import type { DiffSliceLine } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffEffort, diffRows, sliceOf } from './diff-rows.ts'

const shown = (rows: readonly DiffSliceLine[]) => rows.map(({ kind, before, after, text }) => [kind, before, after, text])

test('rows have the line numbers of both sides; unchanged lines in between are a gap', () => {
  const before = Array.from({ length: 20 }, (_line, at) => `line ${at + 1}\n`)
  const after = before.with(1, 'second\n').toSpliced(15, 1)
  expect(shown(diffRows(before.join(''), after.join('')).rows)).toEqual([
    ['same', 1, 1, 'line 1'],
    ['before', 2, null, 'line 2'],
    ['after', null, 2, 'second'],
    ['same', 3, 3, 'line 3'],
    ['same', 4, 4, 'line 4'],
    ['same', 5, 5, 'line 5'],
    ['gap', null, null, ''],
    ['same', 13, 13, 'line 13'],
    ['same', 14, 14, 'line 14'],
    ['same', 15, 15, 'line 15'],
    ['before', 16, null, 'line 16'],
    ['same', 17, 16, 'line 17'],
    ['same', 18, 17, 'line 18'],
    ['same', 19, 18, 'line 19'],
    ['gap', null, null, ''],
  ])
})

test('a new file, a removed file, and a last line without a line break', () => {
  expect(shown(diffRows('', 'a\nb\n').rows)).toEqual([
    ['after', null, 1, 'a'],
    ['after', null, 2, 'b'],
  ])
  expect(shown(diffRows('a\n', '').rows)).toEqual([['before', 1, null, 'a']])
  const note = ['note', null, null, 'No newline at end of file']
  expect(shown(diffRows('a', 'a\n').rows)).toEqual([['before', 1, null, 'a'], note, ['after', null, 1, 'a']])
})

test('a long line is cut, and a diff is shown in parts', () => {
  const { rows } = diffRows('', `${'x'.repeat(limits.diff_line_characters)}😀\n`)
  expect(rows[0]).toMatchObject({ cut: true, text: 'x'.repeat(limits.diff_line_characters) })
  const long = diffRows('', Array.from({ length: 2_500 }, (_line, at) => `${at}\n`).join(''))
  const parts = [0, 1_000, 2_000].map((from) => sliceOf(long, from, 1_000))
  expect(parts.map((part) => part.kind === 'text' && [part.lines.length, part.total, part.next, part.lines[0]?.after])).toEqual([
    [1_000, 2_500, 1_000, 1],
    [1_000, 2_500, 2_000, 1_001],
    [500, 2_500, null, 2_001],
  ])
})

const line = fc.constantFrom('a', 'b', 'c', '', '  d', '+x', '-y', '@@ -1 +1 @@', '\\ No newline at end of file', 'e\r')
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended && lines.length > 0 ? '\n' : ''))
const efforts: readonly DiffEffort[] = [
  { edits: 10_000, milliseconds: 10_000 },
  // Always too much: the changed part is shown as replaced.
  { edits: 0, milliseconds: 10_000 },
]

test.each(efforts)('the rows lead from one text to the other, with the right numbers (at most $edits edits)', (effort) => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { rows, added, removed } = diffRows(before, after, effort)
      const [left, right] = [linesOf(before), linesOf(after)]
      for (const { before: at, after: to, text: shownText } of rows) {
        if (at !== null) expect(left[at - 1]).toBe(shownText)
        if (to !== null) expect(right[to - 1]).toBe(shownText)
      }
      expect([added, removed]).toEqual([
        rows.filter(({ kind }) => kind === 'after').length,
        rows.filter(({ kind }) => kind === 'before').length,
      ])
      expect(applied(left, rows)).toEqual(right)
    }),
  )
})

function linesOf(text: string): string[] {
  if (text === '') return []
  return text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
}

/** Lines that no row shows are unchanged. */
function applied(left: readonly string[], rows: readonly DiffSliceLine[]): string[] {
  const result: string[] = []
  let at = 0
  for (const { kind, before, text: shownText } of rows) {
    if (before !== null) {
      while (at < before - 1) result.push(left[at++] ?? '')
      at = before
    } else if (kind === 'gap') {
      const next = rows.slice(rows.findIndex((row) => row === rows.at(0))).find((row) => row.before !== null && row.before > at)
      const until = next?.before ? next.before - 1 : left.length
      while (at < until) result.push(left[at++] ?? '')
    }
    if (kind === 'same' || kind === 'after') result.push(shownText)
  }
  return [...result, ...left.slice(at)]
}
