import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Limit, takeFromWindow } from './window.ts'

const limit = fc.record({ points: fc.integer({ min: 1, max: 1000 }), seconds: fc.integer({ min: 1, max: 3600 }) })
const calls = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 120_000 }), cost: fc.integer({ min: 0, max: 20 }) }), { maxLength: 100 })

test('over any span, no more than the points plus the refill are allowed', () => {
  fc.assert(
    fc.property(limit, calls, (limit, calls) => {
      const log = run(limit, calls).filter(({ taken }) => taken.allowed)
      for (const [i, first] of log.entries()) {
        let sum = 0
        for (const { at, cost } of log.slice(i)) {
          sum += cost
          expect(sum).toBeLessThanOrEqual(limit.points + ((at - first.at) / (limit.seconds * 1000)) * limit.points + 1e-6)
        }
      }
    }),
  )
})

test('a refused call fits after reset_seconds, and one that fits is never refused', () => {
  fc.assert(
    fc.property(limit, calls, (limit, calls) => {
      for (const { at, cost, taken, before, after } of run(limit, calls)) {
        expect(taken.allowed).toBe(cost <= takeFromWindow(before, at, limit, 0)[0].remaining)
        if (taken.allowed || cost > limit.points) continue
        expect(takeFromWindow(after, at + taken.reset_seconds * 1000, limit, cost)[0].allowed).toBe(true)
      }
    }),
  )
})

test('an unused window is full again, whatever its history', () => {
  fc.assert(
    fc.property(limit, calls, (limit, calls) => {
      const last = run(limit, calls).at(-1)
      const later = (last?.at ?? 0) + limit.seconds * 1000
      expect(takeFromWindow(last?.after, later, limit, 0)[0]).toEqual({
        allowed: true,
        limit: limit.points,
        remaining: limit.points,
        reset_seconds: 0,
      })
    }),
  )
})

function run(limit: Limit, calls: readonly { wait: number; cost: number }[]) {
  let at = 1_700_000_000_000
  let full_at: number | undefined
  return calls.map(({ wait, cost }) => {
    at += wait
    const before = full_at
    const [taken, after] = takeFromWindow(before, at, limit, cost)
    full_at = after
    return { at, cost, taken, before, after }
  })
}

test('a clock that is set back delays calls by at most one span', () => {
  fc.assert(
    fc.property(limit, calls, fc.integer({ min: 0, max: 10 ** 9 }), (limit, calls, back) => {
      const last = run(limit, calls).at(-1)
      const now = (last?.at ?? 1_700_000_000_000) - back
      const [, full_at] = takeFromWindow(last?.after, now, limit, 1)
      expect(full_at).toBeLessThanOrEqual(now + limit.seconds * 1000 + 1)
      expect(takeFromWindow(full_at, now + limit.seconds * 1000 + 1, limit, limit.points)[0].allowed).toBe(true)
    }),
  )
})
