import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openRingBuffer } from './ring-buffer.ts'

test('paging from the start returns every stored entry once, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 7 }), (size, count, limit) => {
      const ring = openRingBuffer<{ value: number }>(size)
      for (let value = 1; value <= count; value++) ring.add({ value })
      const seen: number[] = []
      for (let after: number | null = 0; after !== null; ) {
        const page = ring.page({ after, limit })
        seen.push(...page.items.map(({ value }) => value))
        after = page.next
      }
      const kept = Math.min(size, count)
      expect(seen).toEqual(Array.from({ length: kept }, (_, index) => count - kept + index + 1))
      expect(ring.page({ limit })).toMatchObject({ total: count, dropped: count - kept })
    }),
  )
})

test('without a position, the newest entries are returned', () => {
  const ring = openRingBuffer<{ value: string }>(3)
  for (const value of ['a', 'b', 'c', 'd']) ring.add({ value })
  expect(ring.page({ limit: 2 })).toEqual({
    items: [
      { value: 'c', index: 3 },
      { value: 'd', index: 4 },
    ],
    next: null,
    total: 4,
    dropped: 1,
  })
})
