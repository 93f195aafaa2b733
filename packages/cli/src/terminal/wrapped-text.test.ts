import { expect, test } from 'vitest'
import { wrapped } from './wrapped-text.ts'

test('lines are broken between words, below their beginning', () => {
  expect(wrapped('short\n  a line that is too long for it', 16)).toBe('short\n  a line that is\n  too long for\n  it')
})

test('options with their values stay together, and continue below the command', () => {
  const usage = 'usage: tandem run [--agent NAME] [--sandbox MODE]… "task"\n       tandem run [--agent NAME] FILE'
  expect(wrapped(usage, 34)).toBe(
    [
      'usage: tandem run [--agent NAME]',
      '           [--sandbox MODE]…',
      '           "task"',
      '       tandem run [--agent NAME]',
      '           FILE',
    ].join('\n'),
  )
})

test('a word that is longer than the line stays whole', () => {
  expect(wrapped('see http://127.0.0.1:11434/v1/models now', 20)).toBe('see\nhttp://127.0.0.1:11434/v1/models\nnow')
})
