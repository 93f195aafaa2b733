import { expect, test } from 'vitest'
import { plainRequest, requestLikeness } from './request-likeness.ts'
import type { Meaning } from './same-demand.ts'

const meaning = (model: string, ...vector: number[]): Meaning => ({ model, vector: Float32Array.from(vector), level: 0, spread: 0.1 })

test.each([
  ['Release 2.2.0, please.', 'Release , please.'],
  ['The report for 2026-W19. Never touch vendor/.', 'The report for .'],
  ['31', '31'],
])('%s: %s', (text, expected) => expect(plainRequest(text)).toBe(expected))

test('the two nearest texts and the words decide; without a meaning of the same model, the words alone', () => {
  const texts = [meaning('a', 1, 0), meaning('a', 0, 1), null, meaning('b', 1, 0)]
  expect(requestLikeness(meaning('a', 1, 0), texts, 0, 0.35)).toBeCloseTo(0.55)
  expect(requestLikeness(meaning('a', 1, 0), texts, 0.5, 0.35)).toBeCloseTo(0.75)
  expect(requestLikeness(meaning('c', 1, 0), texts, 0.25, 0.35)).toBeCloseTo(0.35)
  expect(requestLikeness(null, texts, 0, 0.35)).toBeCloseTo(0.1)
})
