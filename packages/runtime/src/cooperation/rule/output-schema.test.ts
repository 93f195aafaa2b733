import { expect, test } from 'vitest'
import { readOutput, schemaProblem } from './output-schema.ts'

const schema = { type: 'object', properties: { files: { type: 'array', items: { type: 'string' } } }, required: ['files'] }

test.each([
  [schema, null],
  // A property may have any name.
  [{ type: 'object', properties: { pattern: { type: 'string' }, format: { type: 'string' } } }, null],
  [{ type: 'string', pattern: '(a+)+$' }, 'pattern is not supported'],
  [{ properties: { a: { $ref: 'https://example.org/x' } } }, '$ref is not supported'],
  [{ patternProperties: { '(a+)+$': {} } }, 'patternProperties is not supported'],
  ['string', 'it must be an object'],
  [[schema], 'it must be an object'],
  [null, 'it must be an object'],
  [{ description: 'x'.repeat(20_000) }, 'it has 20018 characters, and 16384 are allowed'],
])('%j: %s', (given, problem) => {
  expect(schemaProblem(given)).toBe(problem)
})

test('a schema that is nested very deeply is refused', () => {
  expect(schemaProblem(Array.from({ length: 40 }).reduce<object>((inner) => ({ not: inner }), {}))).toBe('it is nested too deeply')
})

test.each([
  ['{"files":["a"]}', '{"files":["a"]}', null],
  ['```json\n{"files":[]}\n```', '{"files":[]}', null],
  ['{"files":[1]}', null, expect.stringContaining('the answer does not match the schema')],
  ['I could not do it.', null, 'the answer is not JSON'],
])('the answer %j', (answer, output, problem) => {
  expect(readOutput(answer, JSON.stringify(schema))).toEqual({ output, problem })
})
