import { expect, test } from 'vitest'
import { callerHeaders, deviceIn, upstreamHeaders } from './headers.ts'

test('the provider gets the required headers, and nothing about the caller', () => {
  const headers = {
    accept: 'text/event-stream',
    authorization: 'Bearer ours',
    'x-api-key': 'ours',
    cookie: 'a=b',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': ['a', 'b'],
    'openai-beta': 'c',
    'openai-organization': 'org',
    'x-forwarded-for': '203.0.113.9',
  }
  expect(upstreamHeaders(headers, 'mara')).toEqual({
    accept: 'text/event-stream',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'a, b',
    'openai-beta': 'c',
  })
})

test('the same idempotency key of two users is two keys', () => {
  const key = (user: string) => upstreamHeaders({ 'idempotency-key': 'once' }, user)['idempotency-key']
  expect(new Set(['mara', 'otto', 'mara'].map(key)).size).toBe(2)
})

test('the caller gets the relevant headers, and nothing about our account', () => {
  const headers = {
    'content-type': 'application/json',
    'x-request-id': 'req',
    'retry-after': '1',
    'openai-processing-ms': '5',
    'openai-organization': 'org',
    'anthropic-ratelimit-requests-remaining': '7',
    'set-cookie': 'a=b',
    server: 'x',
  }
  expect(callerHeaders(headers)).toEqual({
    'x-upstream-request-id': 'req',
    'retry-after': '1',
    'openai-processing-ms': '5',
    'anthropic-ratelimit-requests-remaining': '7',
  })
})

test('a device has a plain name or none', () => {
  expect([{ 'x-device-id': 'mara-laptop' }, { 'x-device-id': 'a b' }, {}].map(deviceIn)).toEqual(['mara-laptop', null, null])
})
