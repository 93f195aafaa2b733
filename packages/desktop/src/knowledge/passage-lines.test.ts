import fc from 'fast-check'
import { expect, test } from 'vitest'
import { passageLines } from './passage-lines.ts'

const shown = (before: string, text: string, after: string, from_line: number | null = 1) =>
  passageLines({ before, text, after, from_line }).map(
    ({ number, inside, pieces }) =>
      `${number ?? '-'}${{ whole: '*', part: '+', none: ' ' }[inside]}${pieces.map(({ text: piece, isMarked }) => (isMarked ? `<${piece}>` : piece)).join('')}`,
  )

test('the lines of a passage are marked, with the numbers of the file', () => {
  expect(shown('# Setup\n\n', 'Install it.\n\nRun it.', '\n\nThe end.', 11)).toEqual([
    '11 # Setup',
    '12 ',
    '13*<Install it.>',
    '14*',
    '15*<Run it.>',
    '16 ',
    '17 The end.',
  ])
})

test('a passage that begins and ends inside of a line marks only its part', () => {
  expect(shown('one two ', 'three', ' four')).toEqual(['1+one two <three> four'])
})

test('formats without lines have no numbers, and Windows line ends are not shown', () => {
  expect(shown('a\r\n', 'b\r\nc', '', null)).toEqual(['- a', '-*<b>', '-*<c>'])
})

test('the end of a line before a passage, and one at its own end, mark no other line', () => {
  expect(shown('a\n', 'b\n', 'c')).toEqual(['1 a', '2*<b>', '3 c'])
})

test('for any text, the marked pieces are the passage and all pieces are the whole', () => {
  const any = fc.array(fc.constantFrom('a', 'b ', '\n', '字', '\u{1f600}')).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(any, any, any, (before, text, after) => {
      const lines = passageLines({ before, text, after, from_line: 1 })
      const joined = (only: boolean) =>
        lines.map(({ pieces }) =>
          pieces
            .filter((one) => !only || one.isMarked)
            .map((one) => one.text)
            .join(''),
        )
      expect(joined(false).join('\n')).toBe(`${before}${text}${after}`)
      expect(joined(true).join('')).toBe(text.replaceAll('\n', ''))
    }),
  )
})
