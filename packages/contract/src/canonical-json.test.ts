import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', '10', '9', '01', '', 'b', 'a', 'é', '\u{1F600}', '\uFF5E', '\u0000'),
)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string(),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(key, tie('json')), { maxLength: 5 })
    .map((entries) => JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`)),
}))

/** The definition, written as simply as possible. */
function plainly(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${plainly((value as Record<string, unknown>)[name])}`).join(',')}}`
}

test('matches its definition, for any JSON', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(value)).toBe(plainly(value))
    }),
    { numRuns: 500 },
  )
})

test('contains the same value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('does not depend on the order of the keys', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, { z: 1, y: 2 }], c: null } })).toBe('{"a":{"c":null,"d":[1,{"y":2,"z":1}]},"b":1}')
  expect(canonicalJson(JSON.parse('{"10":1,"9":2,"a":3,"__proto__":4}'))).toBe('{"10":1,"9":2,"__proto__":4,"a":3}')
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
})
