import { expect, test } from 'vitest'
import { lateIn } from './use-late-edits.ts'

test('an edit is late when its message no longer waits: it was received, or removed in another window', () => {
  const waiting = [{ message_id: 'waits' }]
  const known = new Set(['waits', 'removed', 'received'])
  const received = new Map([
    ['received', { text: 'as it was' }],
    ['before-reload', { text: 'as it was' }],
  ])
  const edited = ['waits', 'removed', 'received', 'before-reload', 'of another conversation']
  expect(lateIn(edited, { waiting, known, received })).toEqual(['removed', 'received', 'before-reload'])
  expect(lateIn([], { waiting, known, received })).toEqual([])
})
