import { expect, test } from 'vitest'
import { sentAgain } from './sent-message.ts'

test('a message keeps its key until it was received; with another text or other files it is another message', () => {
  let keys = 0
  const newKey = () => `key-${++keys}`
  const message = { text: 'Hello', attachments: [{ file_id: 'a' }] }
  const first = sentAgain(null, message, newKey)
  expect(first).toEqual({ ...message, key: 'key-1' })
  expect(sentAgain(first, { text: 'Hello', attachments: [{ file_id: 'a' }] }, newKey).key).toBe('key-1')
  expect(sentAgain(first, { ...message, text: 'Hello!' }, newKey).key).toBe('key-2')
  expect(sentAgain(first, { ...message, attachments: [] }, newKey).key).toBe('key-3')
  expect(sentAgain(null, message, newKey).key).toBe('key-4')
})
