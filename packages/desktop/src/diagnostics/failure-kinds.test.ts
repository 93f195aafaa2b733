import type { RecordedEvent } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'
import { expect, test } from 'vitest'
import { failureKinds } from './failure-kinds.ts'

const contract = (reason_code: string, message = reason_code): FailureContract => ({
  taxonomy: 'none',
  stage: 'tool_execution',
  source: 'fs.read',
  reason_code,
  recoverability: 'retryable',
  details: { message },
})

type Name = 'tool_call_failed' | 'model_call_failed' | 'run_failed'

const failed = (no: number, failure_contract?: FailureContract, event: Name = 'tool_call_failed', run = 'd'): RecordedEvent => ({
  no,
  event: {
    event_id: '01900000-0000-7000-8000-000000000000',
    event,
    ts: `2026-01-01T00:00:0${no}.000Z`,
    agent_id: 'a',
    conversation_id: '01900000-0000-7000-8000-00000000000c',
    run_id: `01900000-0000-7000-8000-00000000000${run}`,
    step_id: '01900000-0000-7000-8000-00000000000e',
    ...(failure_contract ? { failure_contract } : {}),
    data: { call_id: 'c', tool: 'fs.read', outcome: 'failed', duration_ms: 1 },
  } as RecordedEvent['event'],
})

test('lists each kind once, with its latest failure, newest first', () => {
  const kinds = failureKinds([
    failed(1, contract('gone', 'first')),
    failed(2, contract('busy')),
    failed(3),
    failed(4, contract('gone', 'last')),
  ])
  expect(kinds.map(({ contract: { details }, count, last_at }) => [details.message, count, last_at])).toEqual([
    ['last', 2, '2026-01-01T00:00:04.000Z'],
    ['busy', 1, '2026-01-01T00:00:02.000Z'],
  ])
})

test('a failed run that repeats an earlier failure counts as one failure, otherwise as its own', () => {
  const refused = contract('unauthorized')
  const counts = (events: readonly RecordedEvent[]) =>
    failureKinds(events).map(({ contract: { reason_code }, count }) => [reason_code, count])
  const one = [failed(1, refused, 'model_call_failed'), failed(2, refused, 'run_failed')]
  expect(counts(one)).toEqual([['unauthorized', 1]])
  expect(counts([failed(1, refused, 'run_failed')])).toEqual([['unauthorized', 1]])
  const two = [failed(3, refused, 'model_call_failed', 'e'), failed(4, refused, 'run_failed', 'e')]
  expect(counts([...one, ...two])).toEqual([['unauthorized', 2]])
  expect(counts([failed(1, refused), failed(2, refused), failed(3, refused, 'run_failed')])).toEqual([['unauthorized', 2]])
  expect(counts([failed(1, contract('busy')), failed(2, refused, 'run_failed')])).toEqual([
    ['unauthorized', 1],
    ['busy', 1],
  ])
})
