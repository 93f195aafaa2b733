import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { problemCodes, problems } from '../problem/index.ts'
import { anthropicErrorType, openAiErrorType } from './index.ts'
import { AnthropicErrorBody, OpenAiErrorBody } from './schema.ts'

test('every problem can be expressed in both dialects', () => {
  for (const code of problemCodes) {
    const { status, title } = problems[code]
    const openai = { error: { message: title, type: openAiErrorType(status), param: null, code } }
    const anthropic = { type: 'error', error: { type: anthropicErrorType(status), message: title }, request_id: 'req-1' }
    expect([code, Value.Check(OpenAiErrorBody, openai), Value.Check(AnthropicErrorBody, anthropic)]).toEqual([code, true, true])
  }
})

test('statuses have the names the dialects give them', () => {
  const statuses = [400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504]
  expect(statuses.map((status) => [status, openAiErrorType(status), anthropicErrorType(status)])).toEqual([
    [400, 'invalid_request_error', 'invalid_request_error'],
    [401, 'authentication_error', 'authentication_error'],
    [403, 'permission_error', 'permission_error'],
    [404, 'not_found_error', 'not_found_error'],
    [409, 'conflict_error', 'invalid_request_error'],
    [413, 'invalid_request_error', 'request_too_large'],
    [422, 'invalid_request_error', 'invalid_request_error'],
    [429, 'rate_limit_error', 'rate_limit_error'],
    [500, 'server_error', 'api_error'],
    [502, 'server_error', 'api_error'],
    [503, 'server_error', 'overloaded_error'],
    [504, 'server_error', 'timeout_error'],
  ])
})
