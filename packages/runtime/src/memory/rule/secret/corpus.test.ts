// Messages with invented secrets in many wordings, and messages that only look as if they had one. The figures are in docs/benchmarks.md.
import { expect, test } from 'vitest'
import { secretQuality } from '../../../../../../bench/memory-secrets.ts'

// Both halves have been used for tuning.
test.each([
  ['first', 131, 3],
  ['second', 111, 2],
])('secrets of the %s half are recognized, and nothing else', (half, all, most) => {
  const { secrets, missed, wrong } = secretQuality(half)
  expect(secrets).toBe(all)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(most)
  expect(wrong).toEqual([])
})
