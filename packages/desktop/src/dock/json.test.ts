import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJson, prettyJson } from './json.ts'

test('formatted JSON has the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(prettyJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('text that parsing would change stays exactly as it is', () => {
  for (const text of ['{"n":12345678901234567890}', '{"a":1,"a":2}', '{"x":1.0}', '{"s":"\\u0041"}', 'no json'])
    expect(prettyJson(text)).toBe(text)
  expect([isJson('{}'), isJson('{')]).toEqual([true, false])
})
