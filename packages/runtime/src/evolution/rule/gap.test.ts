import { manualRemediationKinds } from '@tandem/contract/learning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confidenceOf, gapOf, gapTable, type Repeated, staysDismissed } from './gap.ts'

const often = { repetitions: 5, runs: 5, days: 4, judged: false, forbids: false, matches: false, bound: false }

describe('every row of the table', () => {
  test.each<[number, Partial<Repeated> & Pick<Repeated, 'what'>, ReturnType<typeof gapOf>]>([
    [0, { what: 'sequence', matches: true, bound: true }, null],
    [0, { what: 'edited_file', matches: true, bound: true }, null],
    [1, { what: 'sequence', matches: true }, 'skill_gap'],
    [1, { what: 'edited_file', matches: true }, 'skill_gap'],
    [2, { what: 'sequence', judged: true }, 'skill_gap'],
    [3, { what: 'sequence' }, 'workflow_gap'],
    [4, { what: 'constraint', forbids: true }, 'policy_gap'],
    [5, { what: 'constraint' }, 'knowledge_gap'],
    [6, { what: 'denied_call' }, 'policy_gap'],
    [6, { what: 'restored_checkpoint' }, 'policy_gap'],
    [6, { what: 'canceled_run' }, 'policy_gap'],
    [7, { what: 'edited_arguments' }, 'knowledge_gap'],
    [7, { what: 'corrected_agent' }, 'knowledge_gap'],
    [7, { what: 'edited_file' }, 'knowledge_gap'],
  ])('row %i: %j is %s', (row, repeated, expected) => {
    expect(gapOf({ ...often, ...repeated })).toBe(expected)
    expect(gapTable[row]?.kind).toBe(expected)
    expect(gapTable[row]?.what).toContain(repeated.what)
  })

  test('no row is missing', () => {
    expect(gapTable).toHaveLength(8)
  })
})

test.each([
  [2, 2],
  [9, 1],
])('%i runs on %i days are no gap', (runs, days) => {
  for (const what of ['sequence', 'constraint', ...manualRemediationKinds] as const)
    expect(gapOf({ ...often, what, runs, days })).toBe(null)
})

test('every behavior that is repeated often has one kind of gap, or a skill for it is bound', () => {
  const what = fc.constantFrom('sequence' as const, 'constraint' as const, ...manualRemediationKinds)
  const flags = { judged: fc.boolean(), forbids: fc.boolean(), matches: fc.boolean(), bound: fc.boolean() }
  fc.assert(
    fc.property(fc.record({ what, ...flags }), (given) => {
      expect(gapOf({ ...often, ...given }) === null).toBe(
        given.matches && given.bound && (given.what === 'sequence' || given.what === 'edited_file'),
      )
    }),
  )
})

test.each([
  [null, 3, false],
  [3, 3, true],
  [3, 5, true],
  [3, 6, false],
])('dismissed at %s, repeated %i times: it stays dismissed: %s', (dismissed_at, repetitions, expected) => {
  expect(staysDismissed(dismissed_at, repetitions)).toBe(expected)
})

test('the confidence grows with runs and days, and stays below 1', () => {
  expect(confidenceOf({ runs: 3, days: 2 })).toBe(0.5)
  expect(confidenceOf({ runs: 9, days: 9 })).toBe(0.88)
  expect(confidenceOf({ runs: 9, days: 2 })).toBeLessThan(0.88)
  expect(confidenceOf({ runs: 10_000, days: 900 })).toBeLessThanOrEqual(1)
})
