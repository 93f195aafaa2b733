import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, expectTypeOf, test } from 'vitest'
import type { FailureContract } from '../failure/index.ts'
import { sampleOf } from '../sample.ts'
import { type EventOf, eventNames, events, isKeyFailureEvent, type RuntimeEvent } from './index.ts'
import { eventPayloads, runtimeEvents } from './schema.ts'

const numRuns = 10

test('every name has one payload', () => {
  expect(Object.keys(eventPayloads).toSorted()).toEqual(eventNames.toSorted())
  expect(eventNames).toHaveLength(55)
})

test('key failure events', () => {
  expect(eventNames.filter(isKeyFailureEvent)).toEqual([
    'run_start_rejected',
    'run_resume_rejected',
    'run_error',
    'run_failed',
    'model_call_failed',
    'tool_call_failed',
    'checkpoint_failed',
    'checkpoint_restore_failed',
    'sandbox_violation',
  ])
})

test.each(eventNames)('%s has the ids and the failure contract that its row requires', (name) => {
  const { scope, key_failure } = events[name]
  const schema = runtimeEvents[name]
  fc.assert(
    fc.property(sampleOf(schema), (event) => {
      const { failure_contract, ...without } = event
      expect(Check(schema, without)).toBe(!key_failure)
      expect(Check(schema, { ...event, agent_id: null })).toBe(scope === 'device')
      expect(Check(schema, { ...event, run_id: null })).toBe(scope === 'device' || scope === 'agent')
      expect(Check(schema, { ...event, step_id: null })).toBe(scope !== 'step')
      if (key_failure) expect(failure_contract).toBeDefined()
    }),
    { numRuns },
  )
})

test('types follow the table', () => {
  expectTypeOf<EventOf<'run_failed'>['failure_contract']>().toEqualTypeOf<FailureContract>()
  expectTypeOf<EventOf<'run_paused'>['run_id']>().toEqualTypeOf<string>()
  expectTypeOf<EventOf<'mcp_state_changed'>['run_id']>().toEqualTypeOf<string | null>()
  expectTypeOf<Extract<RuntimeEvent, { event: 'checkpoint_expired' }>['data']['reason']>().toEqualTypeOf<
    'outlived' | 'over_cap' | 'over_budget'
  >()
})
