import { describe, expect, test } from 'vitest'
import { comparedBy, embeddedText, leastSame, type Meaning, sameness } from './same-demand.ts'

const same = (left: string, right: string, asks = true) => sameness(comparedBy(left, asks, null), comparedBy(right, asks, null), () => 1)
const apart = Number.NEGATIVE_INFINITY

describe('what keeps two sentences apart, whatever they have in common', () => {
  test.each([
    ['Answer in German.', 'Never answer in German.', true],
    ['Use emojis.', 'Avoid emojis.', true],
    ['Antworte auf Deutsch.', 'Antworte nicht auf Deutsch.', true],
    ['No claim without a source.', 'Every claim with a source.', false],
    ['Use uv instead of pip.', 'Use uv, not pip.', false],
    // Who does it is what differs.
    ['I will commit it myself.', 'Do not commit it.', false],
    ['Answer in German.', 'Answer in French.', true],
    ['Answer in German, not in English.', 'Antworte auf Deutsch.', false],
    ['Not in English again.', 'Answer in German.', false],
    ['Never mail on Monday.', 'Mail only on Friday.', false],
    ['Do not change anything in vendor/.', 'Do not change anything in assets/.', true],
    ['Do not change anything in vendor/.', 'vendor/ stays as it is.', false],
  ])('%s / %s: %s', (left, right, expected) => {
    expect([same(left, right) === apart, same(right, left) === apart]).toEqual([expected, expected])
  })
})

test('without an embedder, words in common decide, across both languages', () => {
  expect(same('Please answer in German.', 'Antworte bitte auf Deutsch.')).toBeGreaterThanOrEqual(leastSame)
  expect(same('Cite what you used.', 'No claim without a source.')).toBeLessThan(leastSame)
})

test('meaning counts from what unrelated sentences have in common, only within one model, and less if a sentence may be a request', () => {
  const meaning = (model: string, ...vector: number[]): Meaning => ({ model, vector: Float32Array.from(vector), level: 0.2, spread: 0.1 })
  const one = (asks: boolean, given: Meaning) => comparedBy('Cite it.', asks, given)
  const other = (asks: boolean, given: Meaning) => comparedBy('Name the source.', asks, given)
  expect(sameness(one(true, meaning('a', 1, 0)), other(true, meaning('a', 0.6, 0.8)), () => 1)).toBeCloseTo(0.4)
  expect(sameness(one(false, meaning('a', 1, 0)), other(true, meaning('a', 0.6, 0.8)), () => 1)).toBeCloseTo(0.25)
  expect(sameness(one(true, meaning('a', 1, 0)), other(true, meaning('b', 0.6, 0.8)), () => 1)).toBeLessThan(leastSame)
})

test('the embedder gets English words without politeness', () => {
  expect(embeddedText('Und antworte bitte auf Deutsch.')).toBe('answer on german.')
  expect(embeddedText('please')).toBe('please')
})
