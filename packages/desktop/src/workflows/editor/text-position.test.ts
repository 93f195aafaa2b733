import { expect, test } from 'vitest'
import { markedRange, offsetAt } from './text-position.ts'

const text = 'name: A\nnodes:\n\n  - id: a'

test.each([
  ['the start', 1, 1, 0],
  ['a column', 1, 7, 6],
  ['another line', 2, 1, 8],
  ['an empty line', 3, 1, 15],
  ['the last line', 4, 3, 18],
  ['a column after the end of its line', 2, 50, 14],
  ['a line after the end', 9, 1, text.length],
  ['a column before the first', 2, 0, 8],
] as const)('%s', (_, line, column, offset) => {
  expect(offsetAt(text, line, column)).toBe(offset)
})

test.each([
  ['the rest of the line', 1, 7, [6, 7]],
  ['without spaces at its end', 2, 1, [8, 14]],
  ['nothing in an empty line', 3, 1, [17, 17]],
] as const)('marks %s', (_, line, column, [from, to]) => {
  expect(markedRange('name: A\nnodes:  \n\n  - id: a', line, column)).toEqual({ from, to })
})
