import { expect, test } from 'vitest'
import { isRepeated, isSaidOf } from './repeated.ts'

const said = 'I prefer bullet lists over long paragraphs in every report.'
const statement = (content: string, excerpt = said, message_id = 'm') => ({
  ...{ memory_kind: 'preference' as const, subject: 'user', content, quotes: [{ message_id, excerpt }] },
})
const stored = statement('The user prefers bullet lists over long paragraphs in reports.')

test('the same words of the user in another sentence are remembered already', () => {
  expect(isRepeated(statement(said), [stored])).toBe(true)
  expect(isRepeated(statement('Prefers bullet lists.', 'I prefer bullet lists'), [stored])).toBe(true)
  const both = ['The user prefers tabs for Go.', 'The user prefers two spaces for TypeScript.'].map((content) => statement(content))
  expect(isRepeated(statement('I prefer tabs for Go and two spaces for TypeScript.'), both)).toBe(true)
})

test('another kind, subject or message is not about the same words', () => {
  expect(isSaidOf(statement(said), stored)).toBe(true)
  expect(isSaidOf({ ...statement(said), memory_kind: 'decision' }, stored)).toBe(false)
  expect(isSaidOf({ ...statement(said), subject: 'agent' }, stored)).toBe(false)
  expect(isSaidOf(statement(said, said, 'another'), stored)).toBe(false)
})

test.each([
  ['I prefer tabs for Go and two spaces for TypeScript.', 'The user prefers tabs for Go.'],
  ['We use Postgres for the ledger and Redis for the sessions.', 'Postgres is used for the ledger.'],
  ['I prefer bullet lists over long paragraphs and dark mode over light mode.', 'The user prefers bullet lists to long paragraphs.'],
  ['I prefer tabs for Go, spaces for Python and semicolons in TypeScript.', 'The user prefers tabs for Go and spaces for Python.'],
  ['The user prefers dark mode.', 'The user prefers bullet lists to long paragraphs.'],
])('%s states more than %s', (proposal, memory) => {
  expect(isRepeated(statement(proposal, proposal), [statement(memory, proposal)])).toBe(false)
})

test.each([
  ["I don't want emails on Sundays.", 'The user wants emails on Sundays.'],
  ['I never want emails on Sundays.', 'The user wants emails on Sundays.'],
  ['I want emails on Sundays.', 'The user wants no emails on Sundays.'],
])('%s is not what %s says', (proposal, memory) => {
  expect(isRepeated(statement(proposal, proposal), [statement(memory, proposal)])).toBe(false)
})
