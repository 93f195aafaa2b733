import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinedRuns } from './joined-runs.ts'

const join = (items: readonly (readonly [string, number])[]) => joinedRuns(items, (item) => item)

test('neighbors become one, in the order of the best', () => {
  expect(
    join([
      ['a', 3],
      ['b', 1],
      ['a', 4],
      ['a', 2],
      ['a', 9],
    ]),
  ).toEqual([
    [
      ['a', 3],
      ['a', 2],
      ['a', 4],
    ],
    [['b', 1]],
    [['a', 9]],
  ])
  expect(join([])).toEqual([])
})

test('nothing is lost or doubled, and runs have no gaps', () => {
  const item = fc.tuple(fc.constantFrom('a', 'b'), fc.nat(20))
  fc.assert(
    fc.property(fc.uniqueArray(item, { selector: (one) => one.join(' ') }), (items) => {
      const runs = join(items)
      expect(runs.flat().map(String).sort()).toEqual(items.map(String).sort())
      for (const run of runs) {
        const numbers = run.map(([, number]) => number).sort((left, right) => left - right)
        expect(numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)).toBe(true)
      }
    }),
  )
})
