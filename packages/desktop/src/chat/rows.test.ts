import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endRange, rangeOf } from './rows.ts'

test('draws what is in view and a little beyond, and leaves room for the rest', () => {
  const heights = Array.from({ length: 10_000 }, () => 100)
  expect(rangeOf(heights, 50_000, 1_000)).toEqual({ first: 491, end: 518, above: 49_100, below: 948_200 })
  expect(endRange(heights, 1_000)).toMatchObject({ end: 10_000, below: 0 })
})

test('nothing is lost: what is above, drawn and below is the whole, and what is in view is drawn', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 3_000 })),
      fc.nat(50_000),
      fc.integer({ min: 100, max: 2_000 }),
      (heights, top, height) => {
        const { first, end, above, below } = rangeOf(heights, top, height)
        const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0)
        expect(above + sum(heights.slice(first, end)) + below).toBe(sum(heights))
        expect(above).toBeLessThanOrEqual(Math.max(0, top))
        if (end < heights.length) expect(above + sum(heights.slice(first, end))).toBeGreaterThanOrEqual(top + height)
      },
    ),
  )
})
