import { expect, test } from 'vitest'
import { type BudgetClaim, checkClaims, readClaim, writeClaim } from './claim.ts'

const claim = (tokens: number, state: BudgetClaim['state'] = 'open'): BudgetClaim => ({
  state,
  tokens,
  generation_id: `of ${tokens}`.replace(' ', '-'),
})

test('whether a claim fits, and why not', () => {
  const limits = { calls_in_flight: 2, tokens_per_month: 100 }
  const mine = claim(40)
  expect([
    checkClaims(mine, [mine], 60, limits),
    checkClaims(mine, [mine], 61, limits),
    checkClaims(mine, [mine, claim(20)], 40, limits),
    checkClaims(mine, [mine, claim(21)], 40, limits),
    checkClaims(mine, [mine, claim(1), claim(1)], 0, limits),
    checkClaims(mine, [mine, claim(1), claim(1, 'settled')], 0, limits),
    checkClaims(mine, [mine, claim(61, 'settled')], 0, limits),
    checkClaims(mine, [mine, claim(1), claim(1)], 99, limits),
  ]).toEqual(['fits', 'spent', 'fits', 'reserved', 'busy', 'fits', 'reserved', 'spent'])
})

test('without a budget only the number of calls is limited', () => {
  const mine = claim(1e9)
  const limits = { calls_in_flight: 2, tokens_per_month: 0 }
  expect([checkClaims(mine, [mine, claim(1e9)], 1e12, limits), checkClaims(mine, [mine, mine, mine], 0, limits)]).toEqual(['fits', 'busy'])
})

test('a claim can be parsed', () => {
  for (const one of [claim(0), claim(123, 'settled')]) expect(readClaim(writeClaim(one))).toEqual(one)
})
