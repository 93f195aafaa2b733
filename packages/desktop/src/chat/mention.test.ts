import { expect, test } from 'vitest'
import { mentionAt, withFile } from './mention.ts'

test('an @ at the start of a word mentions a file, one inside a word does not', () => {
  expect(mentionAt('Look at @src/in', 15)).toEqual({ begin: 8, end: 15, typed: 'src/in' })
  expect(mentionAt('@', 1)).toEqual({ begin: 0, end: 1, typed: '' })
  expect(mentionAt('mail me@example.org', 19)).toBeNull()
  expect(mentionAt('@done now', 9)).toBeNull()
})

test('the chosen name replaces what was typed, whatever characters it contains', () => {
  const mention = { begin: 5, end: 8, typed: 'no' }
  expect(withFile('Read @no please', mention, 'notes.md')).toEqual({ text: 'Read @notes.md please', caret: 15 })
  expect(withFile('Read @no', mention, 'two words\n.md').text).toBe('Read @"two words\\n.md" ')
})
