import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { shapeFaults } from './shape-fault.ts'

const shape = Compile(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 3 }),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
      kind: Type.Optional(Type.Enum(['x', 'y'])),
      id: Type.Optional(Type.String({ format: 'uuid' })),
      code: Type.Optional(Type.String({ pattern: '^[a-z]+$' })),
      at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', format: 'date-time' })),
      list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1 })),
      flag: Type.Optional(Type.Boolean()),
      fixed: Type.Optional(Type.Literal('k')),
      maybe: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      either: Type.Optional(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
    },
    { additionalProperties: false },
  ),
)
const moment = 'must be a moment that exists, in UTC and with milliseconds, as 2026-01-31T12:00:00.000Z'

test.each([
  [{}, [['/name', 'is missing']]],
  [
    { name: 'a', extra: 1, more: 2 },
    [
      ['/extra', 'is not a field that is known here'],
      ['/more', 'is not a field that is known here'],
    ],
  ],
  [{ name: 1 }, [['/name', 'must be a string']]],
  [{ name: '' }, [['/name', 'must not be empty']]],
  [{ name: 'abcd' }, [['/name', 'must have at most 3 characters']]],
  [{ name: 'a', count: 1.5 }, [['/count', 'must be a whole number']]],
  [{ name: 'a', count: 0 }, [['/count', 'must be at least 1']]],
  [{ name: 'a', count: 6 }, [['/count', 'must be at most 5']]],
  [{ name: 'a', kind: 'z' }, [['/kind', 'must be one of x, y']]],
  [{ name: 'a', id: 'z' }, [['/id', 'must be a UUID']]],
  [{ name: 'a', code: 'Z' }, [['/code', 'must match the pattern ^[a-z]+$']]],
  [{ name: 'a', at: 'yesterday' }, [['/at', moment]]],
  [{ name: 'a', at: '2026-02-30T00:00:00.000Z' }, [['/at', moment]]],
  [{ name: 'a', list: [] }, [['/list', 'must not be empty']]],
  [{ name: 'a', list: ['a', 'b'] }, [['/list', 'must have at most 1 items']]],
  [{ name: 'a', list: [1] }, [['/list/0', 'must be a string']]],
  [{ name: 'a', flag: 'yes' }, [['/flag', 'must be true or false']]],
  [{ name: 'a', fixed: 'x' }, [['/fixed', 'must be "k"']]],
  [{ name: 'a', maybe: 1 }, [['/maybe', 'must be a string or null']]],
  [{ name: 'a', either: {} }, [['/either', 'has none of the forms it may have']]],
  [null, [['', 'must be an object']]],
])('%j', (value, expected) => {
  expect(shapeFaults(shape.Errors(value), '/body').map(({ pointer, message }) => [pointer, message])).toEqual(
    expected.map(([pointer, message]) => [`/body${pointer}`, message]),
  )
})
