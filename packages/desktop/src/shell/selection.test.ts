import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extendedTo, listed, noSelection, type Selection, toggled } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = ({ ids: all }: Selection) => [...all].toSorted()

test('one is added and removed; a range begins at the last one', () => {
  const one = toggled(noSelection, 'b')
  const two = toggled(one, 'd')
  expect([ids(one), ids(two), ids(toggled(two, 'b'))]).toEqual([['b'], ['b', 'd'], ['d']])
  expect(ids(extendedTo(two, 'a', order))).toEqual(['a', 'b', 'c', 'd'])
  expect(ids(extendedTo(noSelection, 'c', order))).toEqual(['c'])
  expect(toggled(one, 'b')).toBe(noSelection)
})

test('only what is listed is ever selected, and extending twice is extending to the last place', () => {
  const id = fc.constantFrom(...order)
  const selections = fc.array(id).map((all) => all.reduce(toggled, noSelection))
  fc.assert(
    fc.property(selections, fc.subarray(order), id, id, (selection, shown, first, last) => {
      expect([...listed(selection, shown).ids].every((one) => shown.includes(one))).toBe(true)
      const extended = extendedTo(extendedTo(selection, first, order), last, order)
      expect(ids(extended)).toEqual(ids(extendedTo({ ...selection, anchor: selection.anchor ?? first }, last, order)))
      expect(extended.ids).toContain(last)
    }),
  )
})
