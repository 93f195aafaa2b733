import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Breaker, type BreakerEvent, breakerDelay, failuresAllowed, newBreaker, stepBreaker, stepShared } from './breaker.ts'

const closed = (failures: number): Breaker => ({ state: 'closed', failures })
const open = (until: number, openings: number): Breaker => ({ state: 'open', until, openings })
const half = (until: number, openings: number): Breaker => ({ state: 'half_open', until, openings })

test.each<[Breaker, BreakerEvent, Breaker]>([
  [closed(0), 'asked', closed(0)],
  [closed(3), 'worked', closed(0)],
  [closed(3), 'failed', closed(4)],
  [closed(4), 'failed', open(6_000, 1)],
  [closed(3), 'left', closed(3)],
  [open(900, 1), 'asked', half(31_000, 1)],
  [open(9_000, 1), 'worked', open(9_000, 1)],
  [open(9_000, 1), 'failed', open(9_000, 1)],
  [half(9_000, 1), 'worked', closed(0)],
  [half(9_000, 1), 'failed', open(11_000, 2)],
  [half(9_000, 9), 'failed', open(61_000, 10)],
  [half(9_000, 2), 'left', open(1_000, 2)],
  [half(900, 2), 'asked', half(31_000, 2)],
])('%j %s → %j', (before, event, after) => {
  expect(stepBreaker(before, event, 1_000)).toEqual(after)
})

test.each<[Breaker, BreakerEvent, number, Breaker]>([
  [closed(0), 'failed', 1, closed(1)],
  [closed(4), 'failed', 2, closed(4)],
  [closed(4), 'failed', 3, open(6_000, 1)],
  [closed(1), 'failed', 3, closed(2)],
  [closed(4), 'worked', 2, closed(0)],
  [half(9_000, 1), 'failed', 1, open(11_000, 2)],
])('of all accounts: %j %s by %i → %j', (before, event, accounts, after) => {
  expect(stepShared(before, event, 1_000, accounts)).toEqual(after)
})

test('it never stays open forever, and successes always close it', () => {
  const events = fc.array(fc.tuple(fc.constantFrom<BreakerEvent>('worked', 'failed', 'left'), fc.nat(20_000)))
  fc.assert(
    fc.property(events, (history) => {
      let now = 0
      let breaker = newBreaker
      for (const [event, passed] of history) {
        now += passed
        if (breakerDelay(breaker, now) === 0) breaker = stepBreaker(breaker, 'asked', now)
        breaker = stepBreaker(breaker, event, now)
        expect(breakerDelay(breaker, now)).toBeLessThanOrEqual(60_000)
      }
      now += breakerDelay(breaker, now)
      expect(stepBreaker(stepBreaker(breaker, 'asked', now), 'worked', now)).toEqual(newBreaker)
    }),
    { verbose: 1 },
  )
})

test('it opens after a number of consecutive failures', () => {
  let breaker = newBreaker
  for (let turn = 0; turn < failuresAllowed; turn += 1) breaker = stepBreaker(stepBreaker(breaker, 'asked', 0), 'failed', 0)
  expect([breaker.state, breakerDelay(breaker, 0)]).toEqual(['open', 5_000])
})
