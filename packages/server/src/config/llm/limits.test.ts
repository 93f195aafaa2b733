import { expect, test } from 'vitest'
import { createReader } from '../reader.ts'
import { readMeterLimits } from './limits.ts'

test('generous by default', () => {
  const reader = createReader({})
  expect([readMeterLimits(reader), reader.problems]).toEqual([
    { requests_per_minute: 120, tokens_per_minute: 200_000, tokens_per_month: 0, calls_in_flight: 16 },
    [],
  ])
})

test('custom values, and every problem at once', () => {
  const told = { LLM_REQUESTS_PER_MINUTE: '0', LLM_TOKENS_PER_MINUTE: '5', LLM_TOKENS_PER_MONTH: '1000000', LLM_CALLS_IN_FLIGHT: '1' }
  expect(readMeterLimits(createReader(told))).toEqual({
    ...{ requests_per_minute: 0, tokens_per_minute: 5, tokens_per_month: 1_000_000, calls_in_flight: 1 },
  })
  const reader = createReader({ LLM_REQUESTS_PER_MINUTE: '-1', LLM_TOKENS_PER_MONTH: '1e6', LLM_CALLS_IN_FLIGHT: '0' })
  readMeterLimits(reader)
  expect(reader.problems.map(({ variable, code }) => [variable, code])).toEqual([
    ['LLM_REQUESTS_PER_MINUTE', 'malformed'],
    ['LLM_TOKENS_PER_MONTH', 'malformed'],
    ['LLM_CALLS_IN_FLIGHT', 'malformed'],
  ])
})
