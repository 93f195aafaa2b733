import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUsage } from './usage-finder.ts'

const usage = { prompt_tokens: 9, completion_tokens: 4, details: { cached: {} } }
const seen = { input_tokens: 9, output_tokens: 4 }
const long = 'An answer that is long. '.repeat(10_000)

function find(text: string, cuts: readonly number[] = []) {
  const finder = findUsage()
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
  for (const [index, from] of places.entries()) finder.push(bytes.subarray(from, places[index + 1]))
  return finder.usage()
}

test.each<[string, unknown]>([
  ['after a long response', { choices: [long], usage }],
  ['before a long response', { usage, choices: [long] }],
  ['in the middle', { before: long, usage, after: long }],
  ['next to another field of the same name', { tools: { usage: { type: 'string' } }, usage, more: { usage: null }, after: long }],
  ['next to text that looks like it', { usage, text: `${JSON.stringify({ usage: { prompt_tokens: 1 } })}${long}` }],
])('%s', (_name, body) => {
  expect(find(JSON.stringify(body))).toEqual(seen)
})

test('in any chunks', () => {
  const text = JSON.stringify({ text: 'é'.repeat(30), more: { usage: {} }, usage, after: 'x'.repeat(100) })
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 30 }), (cuts) => {
      expect(find(text, cuts)).toEqual(seen)
    }),
  )
})

test('none', () => {
  expect([find('{}'), find('{"usage":{"prompt_tokens":9'), find(`{"usage":null,"x":"${long}"}`)]).toEqual([undefined, undefined, undefined])
})
