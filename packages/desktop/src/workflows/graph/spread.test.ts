import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spread } from './spread.ts'

const at = (wish: number, width = 10, weight = 1) => ({ wish, width, weight })

test('items are where they wish to be if there is room', () => {
  expect(spread([at(0), at(50), at(100)], 5)).toEqual([0, 50, 100])
})

test('items with the same wish share the way', () => {
  expect(spread([at(0), at(0)], 10)).toEqual([-10, 10])
  expect(spread([at(0, 10, 3), at(0)], 10)).toEqual([-5, 15])
})

test('items never overlap, and keep their order', () => {
  const item = fc.record({
    wish: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 1, max: 200 }),
    weight: fc.constantFrom(1, 8),
  })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 30 }), (items) => {
      const centers = spread(items, 10)
      expect(centers).toHaveLength(items.length)
      for (const [place, center] of centers.entries()) {
        const [item, next, nextCenter] = [items[place], items[place + 1], centers[place + 1]]
        if (item && next && nextCenter !== undefined)
          expect(nextCenter - center).toBeGreaterThanOrEqual((item.width + next.width) / 2 + 10 - 1e-6)
      }
    }),
  )
})
