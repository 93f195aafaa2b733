import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { expect, onTestFinished, test } from 'vitest'
import { Key, nullable, Timestamp } from '../shape.ts'
import { fieldErrors, fieldName, validationText } from './index.ts'

const closed = { additionalProperties: false } as const
const File = Type.Object({ kind: Type.Literal('file'), path: Type.String() }, closed)
const Link = Type.Object({ kind: Type.Literal('link'), url: Type.String({ pattern: '^https?://[^\\s@]+$' }) }, closed)
/** Every keyword that `sample.ts` supports, and those that TypeBox checks in addition. */
const shape = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 3 }),
    password: Type.Optional(Type.String({ minLength: 10, maxLength: 1 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    share: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 })),
    step: Type.Optional(Type.Integer({ multipleOf: 5 })),
    kind: Type.Optional(Type.Enum(['x', 'y'])),
    id: Type.Optional(Type.String({ format: 'uuid' })),
    email: Type.Optional(Type.String({ format: 'email' })),
    key: Type.Optional(Key),
    code: Type.Optional(Type.String({ pattern: '^strange+$' })),
    at: Type.Optional(Timestamp),
    list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 1 })),
    pair: Type.Optional(Type.Array(Type.Integer(), { minItems: 2, maxItems: 3, uniqueItems: true })),
    flag: Type.Optional(Type.Boolean()),
    fixed: Type.Optional(Type.Literal('k')),
    nothing: Type.Optional(Type.Null()),
    either: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    maybe: Type.Optional(nullable(Type.String())),
    url: Type.Optional(nullable(Type.String({ pattern: '^https?://[^\\s@]+$' }))),
    source: Type.Optional(Type.Union([File, Link])),
    sources: Type.Optional(Type.Array(Type.Union([File, Link]))),
    forms: Type.Optional(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
    reply: Type.Optional(
      Type.Union([
        Type.Object({ says: Type.Enum(['yes', 'maybe']), more: Type.Optional(Type.String()) }, closed),
        Type.Object({ says: Type.Enum(['no', 'never']), why: Type.String({ maxLength: 2 }) }, closed),
      ]),
    ),
    answer: Type.Optional(
      Type.Union([
        Type.Object({ chosen: Type.Array(Type.String(), { minItems: 1 }), text: nullable(Type.String({ maxLength: 2 })) }, closed),
        Type.Object({ chosen: Type.Array(Type.String(), { maxItems: 0 }), text: Type.String({ minLength: 1, maxLength: 2 }) }, closed),
      ]),
    ),
    labels: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), closed)),
    bag: Type.Optional(Type.Object({}, { minProperties: 1, maxProperties: 1, additionalProperties: Type.Integer() })),
  },
  closed,
)
const check = Compile(shape)
const errorsOf = (value: unknown) => fieldErrors(check.Errors(value)).map(({ pointer, message }) => [pointer, message])
const moment = 'must be a valid UTC timestamp with milliseconds, such as 2026-01-31T12:00:00.000Z'
const url = 'must be a URL that starts with http:// or https:// and contains no spaces, user name or password'

test.each<[object | null, [string, string][]]>([
  [{}, [['/name', 'is missing']]],
  [
    { name: 'a', extra: 1, more: 2 },
    [
      ['/extra', 'is not a known field'],
      ['/more', 'is not a known field'],
    ],
  ],
  [{ name: 1 }, [['/name', 'must be a string']]],
  [{ name: '' }, [['/name', 'must not be empty']]],
  [{ name: 'abcd' }, [['/name', 'must have at most 3 characters']]],
  [{ name: 'a', password: 'x' }, [['/password', 'must have at least 10 characters']]],
  [{ name: 'a', password: 'abcdefghij' }, [['/password', 'must have at most 1 character']]],
  [{ name: 'a', count: 1.5 }, [['/count', 'must be a whole number']]],
  [{ name: 'a', count: 0 }, [['/count', 'must be at least 1']]],
  [{ name: 'a', count: 6 }, [['/count', 'must be at most 5']]],
  [{ name: 'a', share: 'x' }, [['/share', 'must be a number']]],
  [{ name: 'a', share: 0 }, [['/share', 'must be more than 0']]],
  [{ name: 'a', share: 1 }, [['/share', 'must be less than 1']]],
  [{ name: 'a', step: 6 }, [['/step', 'must be a multiple of 5']]],
  [{ name: 'a', kind: 'z' }, [['/kind', 'must be one of x, y']]],
  [{ name: 'a', id: 'z' }, [['/id', 'must be a UUID']]],
  [{ name: 'a', email: 'z' }, [['/email', 'must be an email address']]],
  [{ name: 'a', key: 'ä ö' }, [['/key', 'may only contain letters, digits and the characters . _ : @ / -']]],
  [{ name: 'a', code: 'Z' }, [['/code', 'must match the pattern ^strange+$']]],
  [{ name: 'a', at: 'yesterday' }, [['/at', moment]]],
  [{ name: 'a', at: '2026-02-30T00:00:00.000Z' }, [['/at', moment]]],
  [{ name: 'a', list: [] }, [['/list', 'must not be empty']]],
  [{ name: 'a', list: ['a', 'b'] }, [['/list', 'must have at most 1 item']]],
  [{ name: 'a', list: [1] }, [['/list/0', 'must be a string']]],
  [{ name: 'a', pair: [1] }, [['/pair', 'must have at least 2 items']]],
  [{ name: 'a', pair: [1, 2, 3, 4] }, [['/pair', 'must have at most 3 items']]],
  [{ name: 'a', pair: [1, 1] }, [['/pair', 'must not contain the same item twice']]],
  [{ name: 'a', flag: 'yes' }, [['/flag', 'must be true or false']]],
  [{ name: 'a', fixed: 'x' }, [['/fixed', 'must be "k"']]],
  [{ name: 'a', nothing: 0 }, [['/nothing', 'must be null']]],
  [{ name: 'a', either: 'c' }, [['/either', 'must be one of a, b']]],
  [{ name: 'a', maybe: 1 }, [['/maybe', 'must be a string or null']]],
  [{ name: 'a', url: 'ftp://x' }, [['/url', url]]],
  [{ name: 'a', source: 3 }, [['/source', 'must be an object']]],
  [{ name: 'a', source: {} }, [['/source/kind', 'is missing']]],
  [{ name: 'a', source: { kind: 'file' } }, [['/source/path', 'is missing']]],
  [{ name: 'a', source: { kind: 'link', url: 'x' } }, [['/source/url', url]]],
  [{ name: 'a', source: { kind: 'pipe' } }, [['/source/kind', 'must be one of file, link']]],
  [
    { name: 'a', sources: [3, 4] },
    [
      ['/sources/0', 'must be an object'],
      ['/sources/1', 'must be an object'],
    ],
  ],
  [{ name: 'a', sources: [{ kind: 'file', path: 1 }] }, [['/sources/0/path', 'must be a string']]],
  [{ name: 'a', forms: {} }, [['/forms', 'does not match any of the allowed formats']]],
  [{ name: 'a', reply: { says: 'no', why: 'abc' } }, [['/reply/why', 'must have at most 2 characters']]],
  [{ name: 'a', reply: { says: 'what', why: 'a' } }, [['/reply', 'does not match any of the allowed formats']]],
  [{ name: 'a', answer: { chosen: [], text: 'abc' } }, [['/answer/text', 'must have at most 2 characters']]],
  [{ name: 'a', answer: { chosen: [], text: '' } }, [['/answer', 'does not match any of the allowed formats']]],
  [{ name: 'a', labels: { A: 'x' } }, [['/labels/A', 'is not a known field']]],
  [{ name: 'a', labels: { a: 1 } }, [['/labels/a', 'must be a string']]],
  [{ name: 'a', bag: {} }, [['/bag', 'must have at least 1 field']]],
  [{ name: 'a', bag: { a: 1, b: 2 } }, [['/bag', 'must have at most 1 field']]],
  [null, [['', 'must be an object']]],
])('%j', (value, expected) => {
  expect(errorsOf(value)).toEqual(expected)
})

test('a union whose errors the validator truncated is described as far as possible', () => {
  const before = Settings.Get()
  onTestFinished(() => Settings.Set(before))
  Settings.Set({ maxErrors: 8 })
  const kinds = ['a', 'b', 'c', 'd', 'e']
  const many = Compile(Type.Union(kinds.map((kind) => Type.Object({ kind: Type.Literal(kind), [kind]: Type.String() }, closed))))
  const of = (value: unknown) => fieldErrors(many.Errors(value))
  expect(of({ kind: 'a', a: 1 })).toEqual([{ pointer: '/a', message: 'must be a string' }])
  expect(of({ kind: 'e', e: 1 })).toEqual([{ pointer: '', message: 'does not match any of the allowed formats' }])
})

test('keywords that only third-party schemas use are reported without validator text', () => {
  const strange = Compile({ type: ['string', 'null'], not: { const: 'abcd' } } as const)
  expect([fieldErrors(strange.Errors('abcd')), fieldErrors(strange.Errors(1))]).toEqual([
    [{ pointer: '', message: 'does not match its schema' }],
    [{ pointer: '', message: 'must be a string or null' }],
  ])
})

test('a field is named as users write it, and a long name is cut', () => {
  expect(['/a', '/nodes/0/id', '/0', '/list/3/', '/a~1b/c~0d', `/${'x'.repeat(1_000)}`].map(fieldName)).toEqual([
    '`a`',
    '`nodes[0].id`',
    '`0`',
    '`list[3]`',
    '`a/b.c~d`',
    `\`${'x'.repeat(299)}…\``,
  ])
})

test('a message names the first fields and that there are more', () => {
  expect(validationText(check.Errors({ name: '', count: 0, kind: 'z', flag: 1 }), 'the parameters')).toBe(
    '`name` must not be empty; `count` must be at least 1; `kind` must be one of x, y; and more',
  )
  expect(validationText(check.Errors([]), 'the parameters')).toBe('the parameters must be an object')
})
