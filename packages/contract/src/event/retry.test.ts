import { expect, test } from 'vitest'
import { callToRetry, pendingRetry, retryText } from './retry.ts'
import type { RuntimeEvent } from './schema.ts'

const data = { model: 'm', turn: 1, attempt: 1, will_retry: true, retry_in_ms: 1_800, duration_ms: 5 }
const failure_contract = {
  taxonomy: 'none',
  stage: 'model_call',
  source: 'm',
  reason_code: 'rate_limited',
  recoverability: 'retryable',
  details: { message: 'Slow down.' },
} as const

const event = (name: string, run_id: string, fields: object = {}) =>
  ({
    event_id: 'e',
    event: name,
    ts: '2026-01-01T00:00:00.000Z',
    run_id,
    agent_id: 'a',
    conversation_id: 'c',
    step_id: null,
    ...fields,
  }) as RuntimeEvent
const failed = (run_id: string, fields: Partial<typeof data> = {}) =>
  event('model_call_failed', run_id, { data: { ...data, ...fields }, failure_contract })

test.each([
  ['a wait', data, 'Slow down.', 'The model did not respond: Slow down. Trying again in 2 s (attempt 2).'],
  ['immediately', { ...data, retry_in_ms: 0 }, 'Too long', 'The model did not respond: Too long. Trying again now (attempt 2).'],
  ['an event of an older version', { ...data, retry_in_ms: undefined }, '', 'The model did not respond. Trying again now (attempt 2).'],
])('%s', (_name, told, message, expected) => {
  expect(retryText(told as typeof data, message)).toBe(expected)
})

test('a retry is pending from the failure until anything else happens in the run', () => {
  const retry = { message: 'Slow down', attempt: 2, at: Date.parse('2026-01-01T00:00:01.800Z') }
  const rows: [readonly RuntimeEvent[], typeof retry | null][] = [
    [[], null],
    [[event('model_call_started', 'r'), failed('r')], retry],
    [[failed('r'), event('model_call_completed', 'other')], retry],
    [[failed('r'), event('sync_state_changed', 'r')], retry],
    [[failed('r'), event('model_call_completed', 'r')], null],
    [[failed('r'), event('run_paused', 'r')], null],
    [[failed('r', { will_retry: false })], null],
  ]
  const pending = (events: readonly RuntimeEvent[]) => {
    const found = callToRetry(
      events.map((one) => ({ event: one })),
      'r',
    )
    return found && pendingRetry(found)
  }
  expect(rows.map(([events]) => pending(events))).toEqual(rows.map(([, expected]) => expected))
})
