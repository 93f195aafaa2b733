import { describe, expect, test } from 'vitest'
import { type Attempt, decideRetry, type RetryDecision, type RetryPosition, retryAfterOf } from './retry.ts'

const answered = (status: number, retry_after_ms?: number): Attempt => ({
  kind: 'answered',
  status,
  ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
})
const first: RetryPosition = { retries: 0, models_left: 0 }
const withOther: RetryPosition = { retries: 0, models_left: 1 }
const last: RetryPosition = { retries: 2, models_left: 0 }
const lastWithOther: RetryPosition = { retries: 2, models_left: 1 }
const again = (wait_ms: number): RetryDecision => ({ next: 'again', wait_ms })

describe('what follows an attempt', () => {
  test.each<[string, Attempt, RetryPosition, RetryDecision]>([
    ['success', answered(200), first, { next: 'accept' }],
    ['another success status', answered(204), lastWithOther, { next: 'accept' }],
    ['a bad request', answered(400), withOther, { next: 'give_up' }],
    ['a bad key', answered(401), first, { next: 'give_up' }],
    ['a bad key, another model left', answered(401), withOther, { next: 'other_model' }],
    ['no credit, another model left', answered(402), withOther, { next: 'other_model' }],
    ['not allowed, another model left', answered(403), withOther, { next: 'other_model' }],
    ['no such model', answered(404), first, { next: 'give_up' }],
    ['no such model, another model left', answered(404), withOther, { next: 'other_model' }],
    ['unreadable', { kind: 'unusable' }, first, { next: 'give_up' }],
    ['unreadable, another model left', { kind: 'unusable' }, withOther, { next: 'other_model' }],
    ['moved', answered(302), withOther, { next: 'give_up' }],
    ['a timeout of the provider', answered(408), first, again(200)],
    ['a conflict', answered(409), first, again(200)],
    ['too many requests', answered(429), first, again(200)],
    ['too many requests, retry in 3 s', answered(429, 3_000), first, again(3_050)],
    ['too many requests, retry in 3 s, another model left', answered(429, 3_000), withOther, { next: 'other_model' }],
    ['too many requests, retry in a minute', answered(429, 60_000), first, { next: 'give_up' }],
    ['a server error', answered(500), first, again(200)],
    ['a second server error', answered(503), { retries: 1, models_left: 0 }, again(400)],
    ['overloaded', answered(529), last, { next: 'give_up' }],
    ['too many server errors', answered(500), lastWithOther, { next: 'other_model' }],
    ['unreachable', { kind: 'unreachable' }, first, again(200)],
    ['unreachable too often', { kind: 'unreachable' }, last, { next: 'give_up' }],
    ['late', { kind: 'late' }, first, { next: 'give_up' }],
    ['late, another model left', { kind: 'late' }, withOther, { next: 'other_model' }],
    ['resting', { kind: 'resting' }, first, { next: 'give_up' }],
    ['resting, another model left', { kind: 'resting' }, withOther, { next: 'other_model' }],
  ])('%s', (_name, attempt, position, decision) => {
    expect(decideRetry(attempt, position, () => 0.5)).toEqual(decision)
  })
})

test('every format of the retry delay', () => {
  const now = Date.parse('2026-09-21T07:40:00.000Z')
  expect(
    [
      {},
      { 'retry-after': '2' },
      { 'retry-after': '0.5' },
      { 'retry-after': '7', 'retry-after-ms': '250' },
      { 'retry-after': 'Mon, 21 Sep 2026 07:40:03 GMT' },
      { 'retry-after': 'Mon, 21 Sep 2026 07:39:00 GMT' },
      { 'retry-after': 'soon' },
    ].map((headers) => retryAfterOf(headers, now)),
  ).toEqual([undefined, 2_000, 500, 250, 3_000, 0, undefined])
})
