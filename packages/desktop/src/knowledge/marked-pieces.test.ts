import { expect, test } from 'vitest'
import { markedPieces } from './marked-pieces.ts'

const shown = (text: string, marks: readonly { from: number; to: number }[]) =>
  markedPieces(text, marks).map(({ text: piece, isMarked }) => (isMarked ? `<${piece}>` : piece))

test.each([
  [[], ['a short text']],
  [[{ from: 2, to: 7 }], ['a ', '<short>', ' text']],
  [
    [
      { from: 8, to: 12 },
      { from: 0, to: 1 },
    ],
    ['<a>', ' short ', '<text>'],
  ],
  [[{ from: 0, to: 12 }], ['<a short text>']],
  [
    [
      { from: 2, to: 7 },
      { from: 4, to: 9 },
    ],
    ['a ', '<short>', '< t>', 'ext'],
  ],
  [
    [
      { from: 10, to: 99 },
      { from: 20, to: 30 },
      { from: 5, to: 5 },
    ],
    ['a short te', '<xt>'],
  ],
])('with the marks %j, it is %j', (marks, pieces) => {
  expect(shown('a short text', marks)).toEqual(pieces)
})

test('an empty text has no pieces', () => {
  expect(markedPieces('', [{ from: 0, to: 3 }])).toEqual([])
})
