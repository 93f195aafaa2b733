import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topItems } from './top-items.ts'

test('returns the same items as sorting all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 500 }), fc.integer({ min: 1, max: 20 }), (all, limit) => {
      const few = topItems<number>(limit, (left, right) => left - right)
      for (const one of all) few.add(one)
      expect([few.items(), few.count()]).toEqual([[...all].sort((left, right) => left - right).slice(0, limit), all.length])
    }),
  )
})
