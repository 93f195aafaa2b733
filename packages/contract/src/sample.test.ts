import fc from 'fast-check'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { sampleOf } from './sample.ts'
import {
  Count,
  Fraction,
  Id,
  JsonText,
  Key,
  Line,
  listOf,
  nullable,
  object,
  oneOf,
  pageOf,
  Sha256,
  Text,
  Timestamp,
  Version,
} from './shape.ts'
import { ToolName } from './tool/schema.ts'

const schemas = {
  Id,
  Key,
  Timestamp,
  Count,
  Version,
  Fraction,
  Sha256,
  Line,
  Text,
  JsonText,
  ToolName,
  oneOf: oneOf(['a', 'b']),
  listOf: listOf(Line, { minItems: 5, maxItems: 6 }),
  nullable: nullable(Count),
  pageOf: pageOf(Id),
  optional: object({ always: Id, sometimes: Type.Optional(Id) }),
  union: Type.Union([object({ kind: Type.Literal('a'), a: Id }), object({ kind: Type.Literal('b'), b: Count })]),
  record: Type.Record(Type.String(), Type.Unknown()),
}

describe('a sample matches its schema', () => {
  test.each(Object.entries(schemas))('%s', (_name, schema) => {
    fc.assert(
      fc.property(sampleOf(schema), (sample) => {
        expect(Check(schema, sample)).toBe(true)
      }),
    )
  })
})

test('an optional field is sometimes present and sometimes not', () => {
  const samples = fc.sample(sampleOf(schemas.optional), { seed: 1, numRuns: 100 })
  expect(new Set(samples.map((sample) => 'sometimes' in sample))).toEqual(new Set([true, false]))
})

test('an unknown keyword is an error, not a wrong sample', () => {
  expect(() => sampleOf(Type.Integer({ multipleOf: 5 }))).toThrow('no sample for the keyword multipleOf')
})
