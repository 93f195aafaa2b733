import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [99_000, '99 s'],
  [100_000, '2 min'],
  [7_100_000, '118 min'],
  [7_200_000, '2 h'],
])('%i ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))
