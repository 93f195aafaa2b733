import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lifetime, negotiationTiming, renewalDelay, retryDelay, startDelay } from './timing.ts'

const { first_retry_ms, longest_retry_ms, shortest_lifetime_ms, longest_lifetime_ms, usual_lifetime_ms, start_ms, start_spread_ms } =
  negotiationTiming
const random = fc.double({ min: 0, max: 1, noNaN: true })

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [6, 160_000],
  [7, 300_000],
  [1_000, 300_000],
])('after %i failures the delay is at most %i ms', (failures, most) => {
  expect([retryDelay(failures, true, 0), retryDelay(failures, true, 1)]).toEqual([most / 2, most])
})

test('what only a user can fix is tried rarely from the beginning', () => {
  expect([retryDelay(1, false, 0), retryDelay(1, false, 1)]).toEqual([longest_retry_ms / 2, longest_retry_ms])
})

test('a retry is never immediate and never later than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.boolean(), random, (failures, canRecover, chance) => {
      const delay = retryDelay(failures, canRecover, chance)
      expect(delay).toBeGreaterThanOrEqual(first_retry_ms / 2)
      expect(delay).toBeLessThanOrEqual(longest_retry_ms)
    }),
  )
})

test.each([
  ['none', null, usual_lifetime_ms],
  ['not a time', Number.NaN, usual_lifetime_ms],
  ['in the past', -1_000_000, shortest_lifetime_ms],
  ['soon', 120_000, 120_000],
  ['next year', 1e12, longest_lifetime_ms],
])('an expiry that is %s counts for a limited time', (_, claimed, expected) => {
  expect(lifetime(claimed === null ? null : 1_000 + claimed, 1_000)).toBe(expected)
})

test('a result is renewed before it expires', () => {
  fc.assert(
    fc.property(fc.integer({ min: shortest_lifetime_ms, max: longest_lifetime_ms }), random, (lifetime_ms, chance) => {
      const delay = renewalDelay(lifetime_ms, chance)
      expect(delay).toBeGreaterThan(0)
      expect(delay).toBeLessThan(lifetime_ms)
    }),
  )
})

test.each([
  ['never tested', null, start_ms],
  ['overdue', -5_000, start_ms],
  ['due later', 20_000, 20_000],
  ['postponed by a changed clock', 1e12, longest_lifetime_ms],
])('the first attempt of a process, if %s', (_, due, delay) => {
  expect(startDelay(due === null ? null : 1_000 + due, 1_000, 0)).toBe(delay)
})

test('many executors do not start at the same moment', () => {
  expect([startDelay(null, 0, 0), startDelay(null, 0, 1)]).toEqual([start_ms, start_ms + start_spread_ms])
})
