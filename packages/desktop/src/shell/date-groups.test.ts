import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateGroups } from './date-groups.ts'

const now = new Date(2026, 2, 30, 0, 30)
const at = (...[month, day, hour, minute]: readonly [number, number, number, number]) =>
  new Date(2026, month, day, hour, minute).toISOString()

test.each([
  ['today', at(2, 30, 0, 0)],
  ['today', at(2, 31, 12, 0)],
  ['yesterday', at(2, 29, 23, 59)],
  ['yesterday', at(2, 29, 0, 0)],
  ['week', at(2, 28, 23, 59)],
  ['week', at(2, 23, 0, 0)],
  ['month', at(2, 22, 23, 59)],
  ['month', at(1, 28, 0, 0)],
  ['earlier', at(1, 27, 23, 59)],
])('%s: %s', (name, updated_at) => {
  expect(dateGroups([{ updated_at }], now)).toEqual([{ name, items: [{ updated_at }] }])
})

test('every conversation is in one group, in the same order', () => {
  const times = fc.array(fc.date({ min: new Date(2025, 0, 1), max: new Date(2026, 5, 1), noInvalidDate: true }))
  fc.assert(
    fc.property(times, (list) => {
      const items = list.toSorted((left, right) => right.getTime() - left.getTime()).map((time) => ({ updated_at: time.toISOString() }))
      expect(dateGroups(items, now).flatMap((group) => group.items)).toEqual(items)
    }),
  )
})
