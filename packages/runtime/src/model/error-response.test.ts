import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorInside, failureOf, parsedBody, retryAfter } from './error-response.ts'
import type { ModelFailureCode } from './failure.ts'

const now = Date.parse('2026-03-01T09:00:00.000Z')
const error = (fields: object) => ({ error: fields })

test.each<[string, number | null, unknown, ModelFailureCode]>([
  [
    'the gateway’s own quota',
    429,
    error({ code: 'quota_exceeded', type: 'rate_limit_error', message: '0 of 10 tokens are left' }),
    'budget_spent',
  ],
  [
    'OpenAI: no quota',
    429,
    error({ code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota' }),
    'budget_spent',
  ],
  ['OpenAI: a rate limit', 429, error({ code: 'rate_limit_exceeded', type: 'tokens', message: 'Rate limit reached' }), 'rate_limited'],
  [
    'Anthropic: no credits',
    400,
    error({ type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' }),
    'budget_spent',
  ],
  [
    'Anthropic: overloaded, in a stream',
    null,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'server_error',
  ],
  [
    'DeepSeek: no balance',
    402,
    error({ message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' }),
    'budget_spent',
  ],
  ['OpenRouter: no credits, inside a 200', null, error({ code: 402, message: 'Insufficient credits' }), 'budget_spent'],
  ['OpenRouter: a failed provider, in a stream', null, error({ code: 502, message: 'Provider returned error' }), 'server_error'],
  ['OpenRouter: an error in the choice', null, { choices: [{ error: { code: 429, message: 'slow' } }] }, 'rate_limited'],
  [
    'Google: an array, with a status by name',
    429,
    [error({ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota' })],
    'rate_limited',
  ],
  [
    'Google: too long',
    400,
    [
      error({
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (9) exceeds the maximum number of tokens allowed (8192).',
      }),
    ],
    'context_overflow',
  ],
  ['OpenAI: too long', 400, error({ code: 'context_length_exceeded', message: 'x' }), 'context_overflow'],
  ['too long, inside a 200', null, error({ code: 'context_length_exceeded', message: 'x' }), 'context_overflow'],
  [
    'llama.cpp: too long, as a 500',
    500,
    error({ code: 500, type: 'exceed_context_size_error', message: 'x', n_ctx: 8192 }),
    'context_overflow',
  ],
  [
    'vLLM: the error is the body',
    400,
    { object: 'error', message: "This model's maximum context length is 8192 tokens.", type: 'BadRequestError', code: 400 },
    'context_overflow',
  ],
  ['Groq: more than the limit per minute', 413, error({ code: 'rate_limit_exceeded', message: 'Request too large' }), 'context_overflow'],
  ['Ollama: unknown model', 404, { error: "model 'm' not found" }, 'unknown_model'],
  ['LiteLLM: a code as text', 400, error({ code: '400', message: 'No' }), 'rejected'],
  ['an invalid key', 401, error({ code: 'invalid_api_key', message: 'no' }), 'unauthorized'],
  ['a forbidden model', 403, error({ message: 'no' }), 'unauthorized'],
  ['a slow gateway', 504, error({ code: 'upstream_timeout', message: 'slow' }), 'timeout'],
  ['the page of a proxy', 503, '<html>Service unavailable</html>', 'server_error'],
  ['FastAPI', 422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }, 'rejected'],
  ['an error in a stream without details', null, error({ message: 'upstream died' }), 'broken_stream'],
])('%s', (_name, status, body, code) => {
  expect(failureOf({ status, body }, now)).toMatchObject({ code })
})

test('keeps the message in every format, with the message of the provider behind a router', () => {
  const bodies: [unknown, string][] = [
    [error({ message: 'a' }), 'a'],
    [{ error: 'b' }, 'b'],
    [{ object: 'error', message: 'c' }, 'c'],
    [{ detail: 'd' }, 'd'],
    [{ code: 'quota_exceeded', title: 'e' }, 'e'],
    [{ detail: [{ loc: ['body', 'tools'], msg: 'f' }] }, 'body.tools: f'],
    [error({ message: 'Provider returned error', metadata: { raw: 'g' } }), 'Provider returned error: g'],
    [[error({ message: 'h' })], 'h'],
    ['<html>i</html>', '<html>i</html>'],
    [{}, "the model's address responded with 418"],
  ]
  expect(bodies.map(([body]) => failureOf({ status: 418, body }, now).message)).toEqual(bodies.map(([, message]) => message))
})

test.each([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8_192],
  ['request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it', 8_192],
  ['prompt is too long: 208310 tokens > 200000 maximum', 200_000],
  ['The input token count (1200000) exceeds the maximum number of tokens allowed (1,048,576).', 1_048_576],
  ["This model's maximum prompt length is 131072 but the request contains 200000 tokens.", 131_072],
  ['the model is loaded with context length of only 4096 tokens, which is not enough', 4_096],
  ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768],
  ['The prompt is too long.', null],
])('the limit of a server: %s', (message, context_tokens) => {
  expect(failureOf({ status: 400, body: error({ message }) }, now)).toMatchObject({ code: 'context_overflow', context_tokens })
})

test('reads the retry time in milliseconds, in seconds, as a date or from the body', () => {
  const headers: [Record<string, string>, number | null][] = [
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 01 Mar 2026 09:00:42 GMT' }, 42_000],
    [{ 'retry-after': 'Sun, 01 Mar 2026 08:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5' }, null],
    [{}, null],
  ]
  expect(headers.map(([given]) => retryAfter(given, now))).toEqual(headers.map(([, expected]) => expected))
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
  expect(failureOf({ status: 429, body: [error({ code: 429, message: 'x', details })] }, now).retry_after_ms).toBe(34_500)
})

test('a response that is not an error', () => {
  expect([{ choices: [] }, { error: null, choices: [] }, null, 'text', 7].map(errorInside)).toEqual([false, false, false, false, false])
})

test('whatever a server sends becomes a failure with a message', () => {
  fc.assert(
    fc.property(fc.option(fc.integer({ min: 100, max: 599 })), fc.anything(), fc.string(), (status, body, text) => {
      expect(failureOf({ status, body }, now).message.length).toBeGreaterThan(0)
      expect(failureOf({ status, body: parsedBody(text) }, now).code).toBeTypeOf('string')
      expect(errorInside(body)).toBeTypeOf('boolean')
    }),
  )
})
