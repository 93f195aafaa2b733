import { expect, test } from 'vitest'
import type { CallOutcome, MeteredCall } from '../meter.ts'
import { pendingRow, rowOf } from './row.ts'

const call: MeteredCall = {
  generation_id: '01990000-0000-7000-8000-000000000001',
  user_id: '01890000-0000-7000-8000-000000000001',
  device_id: 'laptop',
  operation: 'chat_completions',
  model: 'demo/asked',
  estimated_input_tokens: 3,
  max_output_tokens: 4,
}
const outcome: CallOutcome = {
  status: 200,
  model: 'demo/answered',
  usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, estimated: false },
  aborted: false,
  attempts: 2,
  first_byte_ms: 12.4,
  duration_ms: 99.6,
}

test('a row has what a call cost and how it ended, and nothing else', () => {
  expect(rowOf(call, 1_000, outcome)).toEqual({
    ...{ user_id: call.user_id, generation_id: call.generation_id, ts: 1_000, device_id: 'laptop', operation: 'chat_completions' },
    ...{ model: 'demo/answered', status: 200, input_tokens: 10, cached_input_tokens: 4, output_tokens: 5, estimated: false },
    ...{ aborted: false, attempts: 2, first_byte_ms: 12, duration_ms: 100, ended: true },
  })
})

test('a call in progress has what was requested', () => {
  expect(pendingRow(call, 1_000)).toEqual({
    ...{ user_id: call.user_id, generation_id: call.generation_id, ts: 1_000, device_id: 'laptop', operation: 'chat_completions' },
    ...{ model: 'demo/asked', status: 0, input_tokens: 3, cached_input_tokens: 0, output_tokens: 0, estimated: true },
    ...{ aborted: false, attempts: 0, first_byte_ms: null, duration_ms: 0, ended: false },
  })
})

test('PostgreSQL can store whatever a provider reports', () => {
  const usage = { input_tokens: Number.NaN, cached_input_tokens: 7, output_tokens: Number.POSITIVE_INFINITY, estimated: true }
  expect(rowOf(call, 0, { ...outcome, usage, status: 1e9, attempts: -1, first_byte_ms: null, duration_ms: 1e300 })).toMatchObject({
    ...{ input_tokens: 0, cached_input_tokens: 0, output_tokens: 1_000_000_000 },
    ...{ status: 32_767, attempts: 0, first_byte_ms: null, duration_ms: 2_147_483_647 },
  })
})
