import { expect, test } from 'vitest'
import { isWrittenByUser, type Message, type MessageOrigin, messageAuthors } from './index.ts'

const older: MessageOrigin = { before_authors: true, started_by_task: false }
const olderTask: MessageOrigin = { before_authors: true, started_by_task: true }
const later: MessageOrigin = { before_authors: false, started_by_task: false }
const laterTask: MessageOrigin = { before_authors: false, started_by_task: true }

type AuthorCase = [role: Message['role'], author: Message['author'], origin: MessageOrigin, expected: boolean]

const rows: AuthorCase[] = [
  ['user', 'person', later, true],
  ['user', 'person', older, true],
  // A recorded author takes precedence over what started the run.
  ['user', 'person', laterTask, true],
  ['user', 'agent', older, false],
  ['user', 'workflow', older, false],
  ['user', 'task', older, false],
  ['user', 'import', later, false],
  ['user', undefined, older, true],
  ['user', undefined, olderTask, false],
  ['user', undefined, later, false],
  ['user', undefined, laterTask, false],
  ['assistant', 'person', older, false],
  ['assistant', undefined, older, false],
  ['assistant', 'agent', later, false],
  ['system', 'person', older, false],
  ['system', undefined, older, false],
]

test.each(rows)('%s, author %s, %o: %s', (role, author, origin, expected) => {
  expect(isWrittenByUser({ role, ...(author === undefined ? {} : { author }) }, origin)).toBe(expected)
})

test('an author that only a newer version knows is not the user', () => {
  const message = JSON.parse('{"role":"user","author":"oracle"}') as Pick<Message, 'role' | 'author'>
  expect([older, olderTask, later, laterTask].map((origin) => isWrittenByUser(message, origin))).toEqual([false, false, false, false])
})

test('exactly one of the authors is the user', () => {
  expect(messageAuthors.filter((author) => isWrittenByUser({ role: 'user', author }, later))).toEqual(['person'])
})
