import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circleOf, limitProblem, usualShare } from './limits.ts'

const limits = { depth: 3, at_once: 6, total: 30 }

/** Depth, open and started members, and how many more. */
test.each([
  [0, 0, 0, 1, null],
  [2, 5, 29, 1, null],
  [3, 0, 0, 1, 'team_too_deep'],
  [0, 6, 6, 1, 'team_too_busy'],
  [0, 4, 4, 3, 'team_too_busy'],
  [0, 0, 30, 1, 'team_too_large'],
  [0, 0, 28, 3, 'team_too_large'],
  [0, 0, 0, 6, null],
])('depth %i, %i open of %i, %i more: %s', (depth, open, started, more, reason) => {
  expect(limitProblem(limits, { depth, open, started }, more)?.reason_code ?? null).toBe(reason)
})

test('a task is in a circle if a run above has the same one', () => {
  const above = [{ run_id: 'a', task_sha256: '1' }]
  expect([circleOf('1', above)?.run_id, circleOf('2', above)]).toEqual(['a', null])
})

test('members that start one after the other get the same share as members that start together, and something is left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000 }), fc.integer({ min: 1, max: 20 }), (tokens, at_once) => {
      let left = tokens
      const shares = Array.from({ length: at_once }, (_one, open) => {
        const share = usualShare({ tokens: left, turns: 1 }, { is_awaited: false, free: at_once - open }).tokens
        left -= share
        return share
      })
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(at_once)
      expect(left).toBeGreaterThan(0)
    }),
  )
})
