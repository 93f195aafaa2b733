import { expect, test } from 'vitest'
import { parseAnsi } from './ansi.ts'

test('colors become pieces, all other terminal sequences are removed', () => {
  expect(parseAnsi('a\u001b[1;31mred\u001b[0m\u001b]0;title\u0007b\u001b[2J\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\')).toEqual([
    { text: 'a', colour: null, bold: false },
    { text: 'red', colour: 'red', bold: true },
    { text: 'b', colour: null, bold: false },
    { text: 'link', colour: null, bold: false },
  ])
})

test('clipboard commands and device control strings are removed completely', () => {
  expect(parseAnsi('x\u001b]52;c;ZXZpbA==\u0007y\u001bPq#0\u001b\\z').map(({ text }) => text)).toEqual(['x', 'y', 'z'])
})

test('a progress line shows its last state', () => {
  expect(parseAnsi('10%\r50%\r100%\r\ndone')).toEqual([{ text: '100%\ndone', colour: null, bold: false }])
})
