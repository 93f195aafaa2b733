import { expect, test } from 'vitest'
import { closenessOf, leastMatch, matchScore } from './request-match.ts'

const texts = ['Make the weekly report for 2026-W19', 'The report for week 20, please', 'Sum up the sales of last week']

test.each([
  ['Do the weekly report for 2026-W31.', true],
  ['Report, week 30.', true],
  ['Bitte den Bericht für die Woche 29', true],
  ['Rename the button on the start page.', false],
  ['31', false],
  ['', false],
])('%s: %s', (request, expected) => expect(matchScore(request, texts) >= leastMatch).toBe(expected))

test('closeness is the share of steps that were done', () => {
  expect(closenessOf(['a', 'b', 'c', 'd'], new Set(['a', 'c', 'x']))).toBe(0.5)
  expect(closenessOf([], new Set(['a']))).toBeNull()
})
