// Messages with invented secrets in many wordings, and messages that only look as if they had one. The figures are in docs/benchmarks.md.
import { expect, test } from 'vitest'
import { secretQuality } from '../../../../../../bench/memory-secrets.ts'

// All three parts have been used for tuning.
test.each([
  ['first', 131, 3, 0],
  ['second', 111, 3, 0],
  ['third', 113, 8, 4],
])('secrets of the %s part are recognized, and little else', (part, all, mostMissed, mostWrong) => {
  const { secrets, missed, wrong } = secretQuality(part)
  expect(secrets).toBe(all)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(mostMissed)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(mostWrong)
})
