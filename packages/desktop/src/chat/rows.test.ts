import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRowHeights } from './row-heights.ts'
import { endRange, rangeOf } from './rows.ts'

const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0)
const rows = fc.array(fc.integer({ min: 1, max: 3_000 }))

test('renders what is in view plus a margin, and reserves space for the rest', () => {
  const heights = createRowHeights(Array.from({ length: 10_000 }, () => 100))
  expect(rangeOf(heights, 50_000, 1_000)).toEqual({ first: 497, end: 514, above: 49_700, below: 948_600 })
  expect(endRange(heights, 1_000)).toMatchObject({ end: 10_000, below: 0 })
})

test('the rows above, rendered and below add up to the whole, and all rows in view are rendered', () => {
  fc.assert(
    fc.property(rows, fc.nat(50_000), fc.integer({ min: 100, max: 2_000 }), (all, top, height) => {
      const { first, end, above, below } = rangeOf(createRowHeights(all), top, height)
      expect(above + sum(all.slice(first, end)) + below).toBe(sum(all))
      expect(above).toBeLessThanOrEqual(Math.max(0, top))
      if (end < all.length) expect(above + sum(all.slice(first, end))).toBeGreaterThanOrEqual(top + height)
    }),
  )
})

test('sums and positions match the rows after any changes and additions', () => {
  const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 3_000 }))
  fc.assert(
    fc.property(rows, fc.array(change), rows, fc.nat(100_000), (first, changes, later, place) => {
      const heights = createRowHeights(first)
      const plain = [...first]
      for (const [index, height] of changes) {
        if (plain.length === 0) break
        heights.set(index % plain.length, height)
        plain[index % plain.length] = height
      }
      for (const height of later) {
        if (height % 3 === 0) heights.pop()
        if (height % 3 === 0) plain.pop()
        heights.push(height)
        plain.push(height)
      }
      for (let index = 0; index <= plain.length; index += 1) expect(heights.above(index)).toBe(sum(plain.slice(0, index)))
      const covering = plain.findIndex((_, index) => sum(plain.slice(0, index + 1)) > place)
      expect(heights.at(place)).toBe(covering === -1 ? Math.max(0, plain.length - 1) : covering)
    }),
  )
})
