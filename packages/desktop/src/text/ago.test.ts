import { expect, test } from 'vitest'
import { formatAgo } from './ago.ts'
import { formatTime } from './time.ts'

const now = Date.parse('2026-03-20T12:00:00Z')

test.each([
  ['2026-03-20T12:00:30Z', 'just now'],
  ['2026-03-20T11:59:01Z', 'just now'],
  ['2026-03-20T11:59:00Z', '1 minute ago'],
  ['2026-03-20T11:00:01Z', '59 minutes ago'],
  ['2026-03-20T11:00:00Z', '1 hour ago'],
  ['2026-03-18T12:00:00Z', '2 days ago'],
  ['2026-03-01T12:00:00Z', formatTime('2026-03-01T12:00:00Z', new Date(now))],
  ['never', 'never'],
])('%s is %s', (timestamp, words) => {
  expect(formatAgo(timestamp, now)).toBe(words)
})
