import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grouped } from './grouped.ts'

test('numbers are grouped as Intl groups them', () => {
  expect([0, 7, 999, 1_000, 12_345, -1_234_567, 1_234.5].map(grouped)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '12,345',
    '-1,234,567',
    '1,234.5',
  ])
  const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -9_999, max: 9_999 }), fc.double({ noNaN: true, min: -1e12, max: 1e12 }))
  fc.assert(
    fc.property(number, (value) => {
      expect(grouped(value)).toBe((value === 0 ? 0 : value).toLocaleString('en-US'))
    }),
  )
})
