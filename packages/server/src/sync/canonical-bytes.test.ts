import { isUtf8 } from 'node:buffer'
import { canonicalJson } from '@tandem/contract/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CanonicalReader } from './canonical-bytes.ts'
import { anyObject, damage, habits, meaningful, spell } from './test-spelling.ts'

const seed = Number(process.env.TANDEM_SEED)

/** What is read of a text that begins with an object, and where it ends. */
function read(json: string | Buffer): { text: string | undefined; end: number } {
  const bytes = Buffer.from(json)
  const reader = new CanonicalReader(bytes)
  const text = reader.object(0)?.toString()
  return { text, end: text === undefined ? 0 : reader.end }
}

test.each([
  ['nothing', '{}', '{}'],
  ['fields in order', '{"a":1,"b":2}', '{"a":1,"b":2}'],
  [
    'fields in another order, and one that begins another',
    '{"role":"x","ro":[],"text":"y","a":null}',
    '{"a":null,"ro":[],"role":"x","text":"y"}',
  ],
  ['a space sorts before a letter', '{"ab":1,"a b":2}', '{"a b":2,"ab":1}'],
  ['numbers as names', '{"9":1,"10":2}', '{"10":2,"9":1}'],
  ['objects in objects in lists', '{"b":[{"d":1,"c":{"f":true,"e":false}}],"a":{}}', '{"a":{},"b":[{"c":{"e":false,"f":true},"d":1}]}'],
  ['white space', ' {\n"b" : [ 1 ,\t2 ] ,\r"a":{ } } '.trimStart(), '{"a":{},"b":[1,2]}'],
  ['escapes that must be', '{"a":"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001b"}', '{"a":"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001b"}'],
  ['letters of all kinds', '{"a":"é\u{1F600}\u2028/\u007f"}', '{"a":"é\u{1F600}\u2028/\u007f"}'],
  ['numbers', '{"a":[0,-1,0.5,-0,1.50,10e-1,1e-7,1234567890123456]}', '{"a":[0,-1,0.5,0,1.5,1,1e-7,1234567890123456]}'],
])('%s is put in order', (_name, json, canonical) => {
  expect(canonicalJson(JSON.parse(json))).toBe(canonical)
  expect(read(json)).toEqual({ text: canonical, end: Buffer.byteLength(json) })
})

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([
  ['a name that comes twice', '{"a":1,"b":2,"a":3}'],
  ['a name with an escape', '{"\\n":1}'],
  ['a name beyond ASCII', '{"é":1}'],
  ['an escape that need not be', '{"a":"\\/"}'],
  ['a letter by its number', '{"a":"\\u00e9"}'],
  ['a control character in a longer form', '{"a":"\\u000a"}'],
  ['a number that would become longer', '{"a":1e20}'],
  ['too deep', nested(40)],
  ['no end', '{"a":1'],
  ['no end of a text', '{"a":"b'],
  ['two colons', '{"a"::1}'],
  ['a comma too many', '{"a":1,}'],
  ['a word that is none', '{"a":nul}'],
  ['a word that has no end', '{"a":tru'],
  ['a number that is none', '{"a":01}'],
  ['a line break in a text', '{"a":"\n"}'],
  ['the wrong bracket', '{"a":[1}'],
])('%s is left to others', (_name, json) => {
  expect(read(json).text).toBe(undefined)
})

test(`what is taken is the text of the contract's definition (seed ${seed})`, () => {
  let taken = 0
  fc.assert(
    fc.property(anyObject, habits, (value, choices) => {
      const json = spell(value, choices).trimStart()
      const { text, end } = read(json)
      if (text === undefined) return
      taken += 1
      expect({ text, end }).toEqual({ text: canonicalJson(JSON.parse(json)), end: Buffer.byteLength(json) })
    }),
    { seed, numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(400)
})

test(`nothing is taken that is no JSON (seed ${seed})`, () => {
  fc.assert(
    fc.property(anyObject, habits, fc.nat(), meaningful, (value, choices, at, byte) => {
      const bytes = damage(spell(value, choices).trim(), at, byte)
      if (!isUtf8(bytes) || bytes[0] !== 0x7b) return
      const { text, end } = read(bytes)
      if (text !== undefined) expect(text).toBe(canonicalJson(JSON.parse(bytes.toString('utf8', 0, end))))
    }),
    { seed, numRuns: 5_000 },
  )
})

test('one object after another, and one that is not taken leaves no trace', () => {
  const [first, broken, last] = ['{"b":1,"a":2}', '{"b":1,"a":"\\/"}', '{"d":[],"c":""}']
  const reader = new CanonicalReader(Buffer.from(first + broken + last))
  const texts = [0, first.length, first.length + broken.length].map((at) => reader.object(at))
  expect(texts.map((text) => text?.toString())).toEqual(['{"a":2,"b":1}', undefined, '{"c":"","d":[]}'])
})
