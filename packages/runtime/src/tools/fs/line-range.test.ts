import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineRange, longestLine } from './line-range.ts'

test('returns any lines of any text, however it is split into chunks', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n'), maxLength: 40 })
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: -6, max: 12 }),
      fc.integer({ min: 1, max: 6 }),
      (all, size, asked, limit) => {
        const offset = asked === 0 ? 1 : asked
        const window = lineRange(offset, limit)
        for (let at = 0; at < all.length; at += size) window.feed(all.slice(at, at + size))
        const lines = all.split('\n').map((line) => line.replace(/\r$/, ''))
        if (lines.at(-1) === '') lines.pop()
        const start = offset > 0 ? offset - 1 : Math.max(0, lines.length - Math.min(-offset, limit))
        const expected = lines.slice(start, start + limit).map((line, index) => ({ number: start + index + 1, text: line, cut: 0 }))
        expect(window.end()).toEqual({ lines: expected, seen: lines.length, stoppedEarly: false })
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a long line is cut, with the number of omitted characters', () => {
  const window = lineRange(1, 10)
  window.feed('x'.repeat(5_000))
  window.feed(`${'y'.repeat(5_000)}\r\nnext`)
  expect(window.end().lines).toEqual([
    { number: 1, text: 'x'.repeat(longestLine), cut: 8_000 },
    { number: 2, text: 'next', cut: 0 },
  ])
})

test('many long lines end early at the limit of characters', () => {
  const forward = lineRange(1, 5_000)
  for (let line = 0; line < 200; line++) forward.feed(`${'x'.repeat(1_999)}\n`)
  expect([forward.full(), forward.end().lines.length, forward.end().stoppedEarly]).toEqual([true, 50, true])
  const backward = lineRange(-5_000, 5_000)
  for (let line = 0; line < 200; line++) backward.feed(`${'x'.repeat(1_999)}\n`)
  const { lines, stoppedEarly } = backward.end()
  expect([lines.length, lines.at(-1)?.number, stoppedEarly]).toEqual([50, 200, true])
})
