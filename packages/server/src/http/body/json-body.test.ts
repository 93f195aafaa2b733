import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maybeStrangeNumber, parseExact, surrogatesIn } from './json-body.ts'

test('everything that JavaScript writes is read unchanged, without a fault', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = JSON.stringify(value)
      const { value: read, numbers } = parseExact(text)
      expect([JSON.stringify(read), numbers, surrogatesIn(text, read)]).toEqual([text, [], []])
    }),
  )
})

test('a text is searched for strange numbers like by a regular expression', () => {
  const pieces = fc.oneof(
    fc.stringMatching(/^\d{1,9}$/),
    fc.constantFrom('e', 'E', '+', '-', '.', '"', ',', 'e+', 'x', '123456789012345', '1234567890123456'),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  )
  const seen = { true: 0, false: 0 }
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const found = maybeStrangeNumber(text)
      seen[`${found}`] += 1
      expect(found).toBe(/\d{16}|\d[eE][+-]?\d{2}/.test(text))
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(50)
  for (let before = 0; before < 40; before += 1) {
    const around = (digits: string) => `${' '.repeat(before)}${digits}${' '.repeat(before)}`
    expect([around('1'.repeat(15)), around('1'.repeat(16)), around('1'.repeat(40))].map(maybeStrangeNumber)).toEqual([false, true, true])
  }
})

test.each([
  ['1e400', ['']],
  ['[1,-1e400]', ['/1']],
  ['{"a":{"b/c":1e-400}}', ['/a/b~1c']],
  ['9007199254740993', ['']],
  ['9007199254740994', []],
  ['123456789012345678901234567890', ['']],
  ['0.1000000000000000055511151231257827', []],
  ['0e999', []],
  ['"1e400 9007199254740993"', []],
  ['1e300', []],
])('%s has faults at %j', (text, pointers) => {
  expect(parseExact(text).numbers.map(({ pointer }) => pointer)).toEqual(pointers)
})

test.each([
  ['"3e12"', 0],
  ['"\\\\"', 0],
  ['["\\"1e400", 1e300]', 0],
  ['1e400', 1],
  ['["a\\\\",9007199254740993]', 1],
])('nested too deeply to walk, with %s inside, it is parsed and has %i faults', (inner, faults) => {
  const depth = 100_000
  const { value, numbers } = parseExact(`{"text":"3e12","a":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`)
  expect([value, numbers.length]).toMatchObject([{ text: '3e12' }, faults])
})

test('if nested too deeply to walk, the change with the number is named', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const text = `{"device_id":"a","changes":[{"a":[1,2],"b":${deep}},{"c":1e400,"d":1e401},{"e":3},[9007199254740993]],"n":[1],"m":1e400}`
  expect(parseExact(text).numbers.map(({ pointer }) => pointer)).toEqual(['/changes/1/', '/changes/3/', ''])
})

test('a lone surrogate is found in strings and in keys', () => {
  const text = '{"a":["x\\ud800","\\ud83d\\ude00"],"\\udfff":1}'
  expect(
    surrogatesIn(text, JSON.parse(text))
      .map(({ pointer }) => pointer)
      .sort(),
  ).toEqual(['', '/a/0'])
})
