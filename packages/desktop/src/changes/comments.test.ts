import type { DiffSliceLine } from '@tandem/contract/command'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { commentsMessage, inOrder, type LineComment } from './comments.ts'
import { isLine, namedLines, nextLine, rangeOf, rowOfComment, rowsOfRange } from './selected-lines.ts'

const comment: LineComment = {
  id: '1',
  path: '/w/src/a.ts',
  name: 'src/a.ts',
  side: 'after',
  from: 12,
  to: 12,
  quoted: ['const x = 1'],
  text: ' Rename it. ',
}

test('comments become one message with path, lines and quoted lines', () => {
  expect(commentsMessage([comment])).toBe('A comment on your changes:\n\n`src/a.ts`, line 12:\n> const x = 1\n\nRename it.')
  const removed = { ...comment, side: 'before', from: 3, to: 4, quoted: ['a', 'b'], text: 'Keep these.' } as const
  expect(commentsMessage([removed, comment])).toBe(
    'Comments on your changes:\n\n`src/a.ts`, lines 3–4 before your change:\n> a\n> b\n\nKeep these.\n\n`src/a.ts`, line 12:\n> const x = 1\n\nRename it.',
  )
  const long = { ...comment, quoted: Array.from({ length: 30 }, (_line, at) => `${at}`) }
  expect(
    commentsMessage([long])
      .split('\n')
      .filter((line) => line.startsWith('> ')),
  ).toHaveLength(21)
})

test('a selection keeps its lines when other rows are shown', () => {
  const after = (number: number): DiffSliceLine => ({ kind: 'after', before: null, after: number, text: `${number}` })
  const before: DiffSliceLine = { kind: 'before', before: 2, after: null, text: 'old' }
  const rows = [after(1), before, after(2), after(3)]
  const range = rangeOf(rows, { anchor: 1, head: 3 })
  expect(range).toEqual({ anchor: { side: 'before', line: 2 }, head: { side: 'after', line: 3 } })
  const later = [after(0), { ...after(0), kind: 'gap', after: null } as const, ...rows]
  expect(range && rowsOfRange(later, range)).toEqual({ anchor: 3, head: 5 })
  expect(range && rowsOfRange(rows.slice(0, 2), range)).toBeNull()
  expect(rangeOf(later, { anchor: 1, head: 3 })).toBeNull()
})

test('comments are in the order of their files and lines', () => {
  const later = { ...comment, id: '2', from: 20 }
  const other = { ...comment, id: '3', path: '/w/b' }
  expect(inOrder([later, other, comment]).map(({ id }) => id)).toEqual(['3', '1', '2'])
})

const kinds = fc.array(fc.constantFrom('same', 'before', 'after', 'gap', 'note'), { minLength: 1, maxLength: 30 })
const rowsOf = fc.tuple(kinds, fc.nat(5)).map(([list, skip]) => {
  let [before, after] = [1, 1]
  return list.map((kind): DiffSliceLine => {
    const text = kind
    if (kind === 'same') return { kind, before: before++, after: after++, text }
    if (kind === 'before') return { kind, before: before++, after: null, text }
    if (kind === 'after') return { kind, before: null, after: after++, text }
    if (kind === 'gap') {
      before += skip
      after += skip
    }
    return { kind, before: null, after: null, text }
  })
})

test('a selection names lines that are in it, and a comment is shown after its last line', () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(29), fc.nat(29), (rows, one, other) => {
      const [anchor, head] = [one % rows.length, other % rows.length]
      const named = namedLines(rows, { anchor, head })
      const selected = rows.slice(Math.min(anchor, head), Math.max(anchor, head) + 1)
      if (!named) {
        expect(selected.some(isLine)).toBe(false)
        return
      }
      expect(named.quoted).toEqual(selected.filter((row) => row[named.side] !== null).map(({ text }) => text))
      const at = rowOfComment(rows, named)
      expect(at === null ? null : rows[at]?.[named.side]).toBe(named.to)
      expect(at).toBeGreaterThanOrEqual(Math.min(anchor, head))
      expect(at).toBeLessThanOrEqual(Math.max(anchor, head))
    }),
  )
})

test('moving stops at the ends and skips what is not a line', () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(29), fc.constantFrom(1 as const, -1 as const), (rows, at, step) => {
      const from = at % rows.length
      const to = nextLine(rows, from, step)
      if (to === from) return
      expect(rows[to] && isLine(rows[to])).toBe(true)
      const between = rows.slice(Math.min(from, to) + 1, Math.max(from, to))
      expect(between.some(isLine)).toBe(false)
    }),
  )
})
