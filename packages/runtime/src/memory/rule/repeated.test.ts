import { expect, test } from 'vitest'
import { isRepeated } from './repeated.ts'

const said = 'I prefer bullet lists over long paragraphs and dark mode over light mode.'
const statement = (content: string, excerpt = said, message_id = 'm') => ({
  ...{ memory_kind: 'preference' as const, subject: 'user', content, quotes: [{ message_id, excerpt }] },
})
const stored = statement('The user prefers bullet lists to long paragraphs.')

test('the same words of the user in another sentence are remembered already', () => {
  expect(isRepeated(statement(said), stored)).toBe(true)
  expect(isRepeated(statement('Prefers bullet lists.', 'I prefer bullet lists'), stored)).toBe(true)
})

test('another fact of the same words, another kind, subject or message is not', () => {
  expect(isRepeated(statement('The user prefers dark mode.', 'dark mode over light mode'), stored)).toBe(false)
  expect(isRepeated({ ...statement(said), memory_kind: 'decision' }, stored)).toBe(false)
  expect(isRepeated({ ...statement(said), subject: 'agent' }, stored)).toBe(false)
  expect(isRepeated(statement(said, said, 'another'), stored)).toBe(false)
})
