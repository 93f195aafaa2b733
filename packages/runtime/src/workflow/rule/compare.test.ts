import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare } from './compare.ts'

const value = fc.jsonValue({ maxDepth: 4 })
type Comparison = Parameters<typeof compare>[0]

describe('compare', () => {
  test.each<[unknown, Comparison, unknown, boolean]>([
    [0, 'equals', '0', true],
    [' 1.5 ', 'equals', 1.5, true],
    [true, 'equals', 'true', true],
    ['a', 'equals', 'a ', false],
    [null, 'equals', undefined, true],
    [[], 'equals', {}, false],
    [{ a: 1, b: [2] }, 'equals', { b: [2], a: 1 }, true],
    [{ a: 1 }, 'equals', { b: 1 }, false],
    [JSON.parse('{"__proto__":1}'), 'equals', {}, false],
    ['a', 'not_equals', 'b', true],
    ['a text', 'contains', 'text', true],
    ['1,2', 'contains', 2, true],
    [[1, 2], 'contains', '2', true],
    [[{ a: 1 }], 'contains', { a: 1 }, true],
    [{ a: 1 }, 'contains', 'a', false],
    [10, 'greater', '9', true],
    ['10', 'greater', '9', true],
    ['10', 'greater', '9a', false],
    ['2026-02-01', 'less', '2026-03-01', true],
    [null, 'less', 1, false],
    [null, 'greater', -1, false],
    [undefined, 'exists', undefined, false],
    [null, 'exists', undefined, false],
    ['', 'exists', undefined, true],
    ['', 'empty', undefined, true],
    [[], 'empty', undefined, true],
    [{}, 'empty', undefined, true],
    [0, 'empty', undefined, false],
    [null, 'empty', undefined, true],
  ])('%j %s %j is %s', (left, comparison, right, expected) => {
    expect(compare(comparison, left, right)).toBe(expected)
  })

  test('a value equals its copy, whatever the order of its fields, and two values are equal or not', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(compare('equals', left, reversed(left))).toBe(true)
        expect(compare('equals', left, right)).toBe(compare('equals', right, left))
        expect(compare('not_equals', left, right)).toBe(!compare('equals', left, right))
      }),
    )
  })

  test('of two values at most one is greater', () => {
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(compare('greater', left, right)).toBe(compare('less', right, left))
        expect(compare('greater', left, right) && compare('less', left, right)).toBe(false)
      }),
    )
  })

  test('values can be nested deeply', () => {
    const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown
    expect([compare('equals', deep(50_000), deep(50_000)), compare('equals', deep(50_000), deep(50_001))]).toEqual([true, false])
  })
})

function reversed(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(reversed)
  if (typeof one !== 'object' || one === null) return one
  return Object.fromEntries(
    Object.entries(one)
      .toReversed()
      .map(([key, field]) => [key, reversed(field)]),
  )
}
