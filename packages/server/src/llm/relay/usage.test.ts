import { expect, test } from 'vitest'
import { finalUsage, lastUsageIn, usageOf } from './usage.ts'

test('the fields of each dialect', () => {
  expect(
    [
      { usage: { prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 2 } } },
      { usage: { input_tokens: 5, output_tokens: 6, input_tokens_details: { cached_tokens: 2 } } },
      { usage: { input_tokens: 3, cache_read_input_tokens: 2, cache_creation_input_tokens: 0, output_tokens: 6 } },
      { usage: { prompt_tokens: 5, completion_tokens: 6, prompt_cache_hit_tokens: 2 } },
    ].map(usageOf),
  ).toEqual(Array.from({ length: 4 }, () => ({ input_tokens: 5, cached_input_tokens: 2, output_tokens: 6 })))
  expect([{}, null, [], 'usage', { usage: null }].map(usageOf)).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('the cache fields that LiteLLM repeats are counted once', () => {
  const repeated = { prompt_tokens: 100, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 80 } }
  expect([
    usageOf({ usage: { ...repeated, cache_read_input_tokens: 80, cache_creation_input_tokens: 15 } }),
    usageOf({
      response: {
        usage: { input_tokens: 100, output_tokens: 6, input_tokens_details: { cached_tokens: 80 }, cache_read_input_tokens: 80 },
      },
    }),
  ]).toEqual(Array.from({ length: 2 }, () => ({ input_tokens: 100, cached_input_tokens: 80, output_tokens: 6 })))
})

test("the output tokens in Anthropic's first event are not the cost", () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } }
  expect([usageOf(start), usageOf({ type: 'message_delta', usage: { output_tokens: 90 } })]).toEqual([
    { input_tokens: 5 },
    { output_tokens: 90 },
  ])
})

test('the last real usage of a long text', () => {
  const text = '…"usage":{"type":"string"},"text":"\\"usage\\":{\\"prompt_tokens\\":1}","usage":{"prompt_tokens":9,"x":{"y":1}},"z":1}'
  expect(lastUsageIn(text)).toEqual({ input_tokens: 9 })
  expect(lastUsageIn('"usage":{"prompt_tokens":9')).toBe(undefined)
})

test('estimates what was not reported', () => {
  const estimate = { input_tokens: 11, output_bytes: 8 }
  expect([
    finalUsage({}, estimate, 'chat_completions'),
    finalUsage({ input_tokens: 3, output_tokens: 1, cached_input_tokens: 9 }, estimate, 'messages'),
    finalUsage({ input_tokens: 3 }, estimate, 'messages'),
    finalUsage({ input_tokens: 3 }, estimate, 'embeddings'),
    finalUsage({}, estimate, 'count_tokens'),
  ]).toEqual([
    { input_tokens: 11, cached_input_tokens: 0, output_tokens: 2, estimated: true },
    { input_tokens: 3, cached_input_tokens: 3, output_tokens: 1, estimated: false },
    { input_tokens: 3, cached_input_tokens: 0, output_tokens: 2, estimated: true },
    { input_tokens: 3, cached_input_tokens: 0, output_tokens: 0, estimated: false },
    { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false },
  ])
})
