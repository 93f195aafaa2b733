import { expect, test } from 'vitest'
import { durationOf } from './status.ts'

test.each([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_660, '1 h 1 min'],
  [90_000, '1 d 1 h'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationOf(seconds)).toBe(text)
})
