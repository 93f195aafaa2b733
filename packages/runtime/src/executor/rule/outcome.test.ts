import { type ListedExecutor, type NegotiationResult, negotiationFailureNames, negotiationFailures } from '@tandem/contract/executor'
import { NegotiationResult as ResultSchema } from '@tandem/contract/executor/schema'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { executorNote } from './note.ts'
import { isOtherOutcome, reasonOf, resultOf } from './outcome.ts'
import type { Reading } from './reading.ts'
import { negotiationTiming } from './timing.ts'

const executor = { executor_id: '01a1e4b0-6b9f-7021-8646-1a860de57084', executor_url: 'https://build.example', name: 'build' }
const now = Date.parse('2026-03-01T09:00:00.000Z')

const failing = fc.record({
  outcome: fc.constant('failed' as const),
  problem: fc.record({ reason: fc.constantFrom(...negotiationFailureNames), message: fc.string({ maxLength: 5_000 }) }),
})
const succeeding = fc.record({
  outcome: fc.constant('negotiated' as const),
  value: fc.record({
    method: fc.constantFrom('handshake' as const, 'capabilities' as const),
    protocol: fc.constant('tandem-executor/1'),
    executor: fc.constant({ name: 'build', version: '0.1.0', os: 'linux', arch: 'x64' }),
    capabilities: fc.array(fc.record({ name: fc.constantFrom('gpu', 'os.linux'), version: fc.constant(null) }), { maxLength: 3 }),
    health: fc.constant(null),
    session_id: fc.constant(null),
    expires_at: fc.option(fc.constantFrom('2020-01-01T00:00:00.000Z', '2026-03-01T09:03:00.000Z', '2999-01-01T00:00:00.000Z')),
  }),
})
const readings: fc.Arbitrary<Reading[]> = fc.array(fc.oneof(failing, succeeding), { minLength: 1, maxLength: 20 })
const random = fc.double({ min: 0, max: 1, noNaN: true })

test('whatever happens, the result matches the contract, counts failures in a row, and names a time within the limits', () => {
  fc.assert(
    fc.property(readings, random, (all, chance) => {
      let before: NegotiationResult | null = null
      let failures = 0
      for (const reading of all) {
        const result: NegotiationResult = resultOf(executor, reading, before, now, chance)
        failures = reading.outcome === 'failed' ? failures + 1 : 0
        expect(Check(ResultSchema, result)).toBe(true)
        expect(result.outcome === 'failed' ? result.failures : 0).toBe(failures)
        const delay = Date.parse(result.next_attempt_at) - now
        expect(delay).toBeGreaterThan(0)
        expect(delay).toBeLessThan(negotiationTiming.longest_lifetime_ms)
        if (result.outcome === 'negotiated') expect(result.next_attempt_at < result.expires_at).toBe(true)
        else expect(result.failure_contract).toMatchObject({ taxonomy: 'none', stage: 'executor', reason_code: result.reason })
        const isSame = before !== null && before.outcome === result.outcome && reasonOf(before) === reasonOf(result)
        expect(isOtherOutcome(before, result)).toBe(!isSame)
        before = result
      }
    }),
  )
})

test.each(negotiationFailureNames)('the failure contract of %s has its remedy and what can be done', (reason) => {
  const { title, remedy, recoverability } = negotiationFailures[reason]
  const result = resultOf(executor, { outcome: 'failed', problem: { reason, message: 'because' } }, null, now, 0)
  expect(result.outcome === 'failed' && result.failure_contract).toEqual({
    taxonomy: 'none',
    stage: 'executor',
    source: 'remote_executor',
    reason_code: reason,
    recoverability,
    details: { message: `${title}: because`, subject: 'build', remedy, facts: [{ name: 'address', value: 'https://build.example' }] },
  })
})

function listed(name: string, state: ListedExecutor['state']): ListedExecutor {
  return { ...executor, name, certificate_sha256: null, added_at: '2026-03-01T09:00:00.000Z', state, negotiation: null, agents: [] }
}

test.each([
  [[], 'No remote executors were added.'],
  [[listed('a', 'ready')], '1 of 1 remote executor is available.'],
  [[listed('a', 'ready'), listed('b', 'untested')], '1 of 2 remote executors are available. b: It has not been tested yet.'],
  [
    ['a', 'b', 'c', 'd', 'e'].map((name) => listed(name, 'untested')),
    '0 of 5 remote executors are available. a: It has not been tested yet. b: It has not been tested yet. c: It has not been tested yet. 2 more are not available.',
  ],
])('what users should know about their executors, case %#', (executors, note) => {
  expect(executorNote(executors)).toBe(note)
})
