import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample } from './sample.ts'

test('small values are unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(sample(value)).toEqual(value)
    }),
    { verbose: 1 },
  )
  expect(sample(JSON.parse('{"__proto__":1}'))).toEqual(JSON.parse('{"__proto__":1}'))
})

test('large values are cut, across all levels', () => {
  const row = Array.from({ length: 100 }, () => 1)
  const cut = sample({ rows: Array.from({ length: 1_000 }, () => row), last: 1 })
  expect(JSON.stringify(cut).length).toBeLessThan(60_000)
  expect(cut).toMatchObject({ last: 1 })
  expect(sample(Array.from({ length: 1_000_000 }, () => 1))).toHaveLength(1_001)
})

test('deep values are not walked to the end', () => {
  let deep: unknown = 1
  for (let level = 0; level < 1_000_000; level += 1) deep = [deep]
  expect(Array.isArray(sample(deep))).toBe(true)
})
