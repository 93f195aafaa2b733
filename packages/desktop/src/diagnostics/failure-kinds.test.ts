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

const failed = (no: number, failure_contract?: FailureContract): RecordedEvent => ({
  no,
  event: {
    event_id: '01900000-0000-7000-8000-000000000000',
    event: 'tool_call_failed',
    ts: `2026-01-01T00:00:0${no}.000Z`,
    agent_id: 'a',
    conversation_id: '01900000-0000-7000-8000-00000000000c',
    run_id: '01900000-0000-7000-8000-00000000000d',
    step_id: '01900000-0000-7000-8000-00000000000e',
    ...(failure_contract ? { failure_contract } : {}),
    data: { call_id: 'c', tool: 'fs.read', outcome: 'failed', duration_ms: 1 },
  } as RecordedEvent['event'],
})

test('each kind stands once, by its last, the latest first', () => {
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
