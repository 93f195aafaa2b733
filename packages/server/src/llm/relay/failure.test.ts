import { expect, test } from 'vitest'
import { type FailedReply, failureOf } from './failure.ts'

const reply: FailedReply = {
  provider: 'openai',
  dialect: 'openai',
  status: 400,
  text: '{"error":{"message":"bad","type":"x","param":"y","code":"z","more":1}}',
  headers: { 'retry-after': '2' },
  retry_after_ms: undefined,
  request_id: 'req-1',
  betrays: (text) => text.includes('sk-secret'),
}
const told = (body: string, status = 400) => ({ kind: 'told', status, body, headers: reply.headers })

test.each<[string, Partial<FailedReply>, unknown]>([
  ['its own text, unchanged', {}, told(reply.text)],
  ['of a list', { text: '[{"error":{"code":400,"message":"bad","status":"X"}}]' }, told(openai('bad'))],
  ['of a plain message', { text: '{"object":"error","message":"bad"}', status: 422 }, told(openai('bad'), 422)],
  ['of the other dialect', { text: '{"error":{"message":"bad"}}', dialect: 'anthropic' }, told(anthropic('bad'))],
  ['no message', { text: '<html>' }, problem('upstream_failed', 400)],
  ['a message with the key', { text: '{"error":{"message":"key sk-secret"}}' }, problem('upstream_failed', 400)],
  ['too many requests, with a message', { status: 429 }, problem('upstream_rate_limited', 429)],
  [
    "with the operator's organization in its words",
    { text: '{"error":{"message":"no such model for org-Ab12Cd34 in proj_9xYz8wVu"}}' },
    told('{"error":{"message":"no such model for … in …"}}'),
  ],
  [
    'too many requests, without a message',
    { status: 429, text: '', retry_after_ms: 5_000 },
    { ...problem('upstream_rate_limited', 429), retry_after_ms: 5_000 },
  ],
  ['broken', { status: 500 }, problem('upstream_failed', 500)],
  ['too slow', { status: 504 }, problem('upstream_timeout', 504)],
  ['moved', { status: 302 }, problem('upstream_failed', 302)],
  ['refused', { status: 401 }, { kind: 'problem', code: 'upstream_refused', detail: 'openai refused the call (401)' }],
  ['unpaid', { status: 402 }, { kind: 'problem', code: 'upstream_refused', detail: 'openai refused the call (402)' }],
])('%s', (_name, changes, expected) => {
  expect(failureOf({ ...reply, ...changes })).toEqual(expected)
})

function openai(message: string): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } })
}

function anthropic(message: string): string {
  return JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req-1' })
}

function problem(code: string, status: number) {
  return { kind: 'problem', code, detail: `openai returned ${status}` }
}
