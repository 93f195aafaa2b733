import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('delays grow up to a maximum, and respect what the cloud requested', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: 600_000 }),
      (failures, luck, asked) => {
        const wait = backoff(failures, () => luck, asked)
        expect(wait).toBeGreaterThanOrEqual(asked)
        expect(wait).toBeGreaterThanOrEqual(500)
        expect(wait).toBeLessThanOrEqual(Math.max(300_000, asked * 1.2))
      },
    ),
  )
  expect([1, 2, 3, 12].map((failures) => backoff(failures, () => 0))).toEqual([500, 1_000, 2_000, 150_000])
})
