import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankByCost } from './cost.ts'
import type { FailurePattern } from './schema.ts'

function pattern(id: string, tokens: number, milliseconds: number, occurrences = 1): FailurePattern {
  return {
    ...{ id, agent_id: 'a', signature: id, taxonomy: 'none', stage: 'tool_execution', source: 's', reason_code: 'r' },
    ...{ affected_subsystem: 'tools', summary: id, tool: null, template: '', occurrences, runs: 1, run_ids: [], reflection_ids: [] },
    ...{ examples: [], helped: [], tokens, milliseconds, aged: false, first_seen_at: '', last_seen_at: '', version: 1 },
  }
}

const ids = (patterns: readonly FailurePattern[]) => rankByCost(patterns).map(({ id }) => id)

test.each([
  ['tokens', [pattern('a', 10, 5), pattern('b', 90, 5)], ['b', 'a']],
  ['time', [pattern('a', 5, 10), pattern('b', 5, 90)], ['b', 'a']],
  ['both', [pattern('a', 60, 10), pattern('b', 40, 90)], ['b', 'a']],
  ['occurrences, if both are equal', [pattern('a', 0, 0), pattern('b', 0, 0, 3)], ['b', 'a']],
] as const)('ranked by %s', (_, patterns, expected) => expect(ids(patterns)).toEqual(expected))

test('the order does not depend on the order in which they were read', () => {
  const some = fc.array(fc.tuple(fc.nat(100), fc.nat(100), fc.nat(3)), { maxLength: 20 })
  fc.assert(
    fc.property(some, (rows) => {
      const patterns = rows.map(([tokens, milliseconds, times], at) => pattern(`p${at}`, tokens, milliseconds, times))
      expect(ids(patterns.toReversed())).toEqual(ids(patterns))
    }),
  )
})
