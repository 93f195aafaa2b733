import { expect, test } from 'vitest'
import { settled, usageInTail, usageOf } from './usage.ts'

test('each dialect in its own words', () => {
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

test('the last real usage of a long text', () => {
  const text = '…"usage":{"type":"string"},"text":"\\"usage\\":{\\"prompt_tokens\\":1}","usage":{"prompt_tokens":9,"x":{"y":1}},"z":1}'
  expect(usageInTail(text)).toEqual({ input_tokens: 9 })
  expect(usageInTail('"usage":{"prompt_tokens":9')).toBe(undefined)
})

test('what nobody told is reckoned', () => {
  const bytes = { input: 41, output: 8 }
  expect([
    settled({}, bytes, 'chat_completions'),
    settled({ input_tokens: 3, output_tokens: 1, cached_input_tokens: 9 }, bytes, 'messages'),
    settled({ input_tokens: 3 }, bytes, 'messages'),
    settled({ input_tokens: 3 }, bytes, 'embeddings'),
    settled({}, bytes, 'count_tokens'),
  ]).toEqual([
    { input_tokens: 11, cached_input_tokens: 0, output_tokens: 2, estimated: true },
    { input_tokens: 3, cached_input_tokens: 3, output_tokens: 1, estimated: false },
    { input_tokens: 3, cached_input_tokens: 0, output_tokens: 2, estimated: true },
    { input_tokens: 3, cached_input_tokens: 0, output_tokens: 0, estimated: false },
    { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false },
  ])
})
