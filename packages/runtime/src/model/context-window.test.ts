import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextWindowOf, parseTokenSetting } from './context-window.ts'

const nothing = { setting: null, listed: null }

test('the setting comes first, then the server, then the name of the model, then the default', () => {
  expect([
    contextWindowOf('gpt-4', { setting: 4_096, listed: 32_768 }),
    contextWindowOf('gpt-4', { setting: null, listed: 32_768 }),
    contextWindowOf('gpt-4', nothing),
    contextWindowOf('nobody/knows-me', nothing),
  ]).toEqual([
    { tokens: 4_096, reserved: 512, source: 'setting' },
    { tokens: 32_768, reserved: 4_096, source: 'model_list' },
    { tokens: 8_192, reserved: 1_024, source: 'known_model' },
    { tokens: 128_000, reserved: 16_000, source: 'default' },
  ])
})

test.each([
  ['gpt-4', 8_192],
  ['gpt-4-0613', 8_192],
  ['gpt-4-turbo', 128_000],
  ['openai/gpt-4o-mini', 128_000],
  ['gpt-4.1-nano', 1_047_576],
  ['gpt-5-mini', 400_000],
  ['gpt-3.5-turbo', 16_385],
  ['o3-mini', 200_000],
  ['anthropic/claude-sonnet-4-5', 200_000],
  ['google/gemini-3-pro-preview', 1_048_576],
  ['gemma2:2b', 8_192],
  ['gemma3:4b', 131_072],
  ['deepseek-reasoner', 128_000],
  ['qwen3:8b', 32_768],
  ['qwen/qwen3-coder', 262_144],
  ['llama3', 8_192],
  ['llama3:8b', 8_192],
  ['llama3.1:8b', 131_072],
  ['meta-llama/Llama-3.3-70B-Instruct', 131_072],
  ['meta-llama/Meta-Llama-3-8B-Instruct', 8_192],
  ['llama2', 4_096],
  ['mistral', 32_768],
  ['phi4', 16_384],
])('%s', (model, tokens) => {
  expect(contextWindowOf(model, nothing)).toMatchObject({ tokens, source: 'known_model' })
})

test('ignores a setting that is not a usable number', () => {
  expect([undefined, '', 'many', '0', '-1', '12.5', '512', '8192'].map(parseTokenSetting)).toEqual([
    ...Array.from({ length: 7 }, () => null),
    8_192,
  ])
})

test('whatever a server reports, the context window is a usable number with space for a response', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.double()), fc.option(fc.integer()), (model, setting, listed) => {
      const { tokens, reserved } = contextWindowOf(model, { setting, listed })
      expect(Number.isSafeInteger(tokens) && tokens >= 1_024 && reserved > 0 && reserved <= tokens / 8).toBe(true)
    }),
  )
})
