import { common, createLowlight } from 'lowlight'
import { expect, test } from 'vitest'
import { highlightPiecesOf } from './highlight-pieces.ts'

const lowlight = createLowlight(common)

test('the pieces are exactly the code, in a few colors', () => {
  const code = "const name = 'x' // <b>\n"
  const pieces = highlightPiecesOf(lowlight.highlight('ts', code))
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
  expect(pieces.filter(({ tint }) => tint !== null)).toEqual([
    { text: 'const', tint: 'keyword' },
    { text: "'x'", tint: 'string' },
    { text: '// <b>', tint: 'comment' },
  ])
})

test('added and removed lines of a diff have their own colors', () => {
  const pieces = highlightPiecesOf(lowlight.highlight('diff', '-old\n+new\n'))
  expect(pieces.filter(({ tint }) => tint !== null)).toEqual([
    { text: '-old', tint: 'removed' },
    { text: '+new', tint: 'added' },
  ])
})
