import fc from 'fast-check'
import { expect, test } from 'vitest'
import { averageLinkage } from './linkage.ts'

const near = (places: readonly number[]) => (left: number, right: number) => -Math.abs((places[left] ?? 0) - (places[right] ?? 0))

test('what is near is joined, by the average of all pairs', () => {
  expect(averageLinkage(5, near([0, 1, 10, 11, 30]), -2)).toEqual([[0, 1], [2, 3], [4]])
  // 0–1–2 is a chain: the average of 0 and 2, and 1 and 2, is too low.
  expect(averageLinkage(3, near([0, 1, 2.4]), -1.5)).toEqual([[0, 1], [2]])
  expect(averageLinkage(0, near([]), 0)).toEqual([])
})

test('a pair that is apart for good keeps its groups apart', () => {
  const score = (left: number, right: number) => (left + right === 3 ? Number.NEGATIVE_INFINITY : 1)
  const groups = averageLinkage(4, score, 0)
  expect(groups.flat().toSorted()).toEqual([0, 1, 2, 3])
  for (const group of groups) expect(group.some((left) => group.includes(3 - left) && left !== 3 - left)).toBe(false)
})

test('every index is in one group, groups reach the threshold, no two could be joined, and the order does not matter', () => {
  const places = fc.uniqueArray(fc.double({ min: 0, max: 100, noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 25 })
  fc.assert(
    fc.property(places, fc.double({ min: -40, max: -1, noNaN: true }), (given, least) => {
      const groups = averageLinkage(given.length, near(given), least)
      expect(groups.flat().toSorted((a, b) => a - b)).toEqual(given.map((_, index) => index))
      const average = (one: readonly number[], other: readonly number[]) =>
        one.flatMap((left) => other.map((right) => near(given)(left, right))).reduce((sum, score) => sum + score, 0) /
        (one.length * other.length)
      for (const [at, one] of groups.entries())
        for (const other of groups.slice(at + 1)) expect(average(one, other)).toBeLessThan(least + 1e-9)
      const turned = given.toReversed()
      const valuesOf = (all: readonly (readonly number[])[], values: readonly number[]) =>
        all.map((group) => group.map((index) => values[index] ?? 0).toSorted((a, b) => a - b)).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
      expect(valuesOf(averageLinkage(turned.length, near(turned), least), turned)).toEqual(valuesOf(groups, given))
    }),
  )
})
