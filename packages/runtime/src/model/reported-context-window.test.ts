import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reportedContextWindow, type ServerResponses } from './reported-context-window.ts'

const list = (...entries: unknown[]) => ({ models: { object: 'list', data: entries } })

test.each<[string, ServerResponses, { tokens: number; loaded: boolean } | null]>([
  ['OpenAI reports nothing', list({ id: 'm', object: 'model', owned_by: 'openai' }), null],
  ['vLLM', list({ id: 'm', max_model_len: 8_192 }), { tokens: 8_192, loaded: false }],
  [
    'OpenRouter, whose provider serves less',
    list({ id: 'm', context_length: 131_072, top_provider: { context_length: 32_768 } }),
    { tokens: 32_768, loaded: false },
  ],
  ['Groq and our gateway', list({ id: 'm', context_window: 131_072 }), { tokens: 131_072, loaded: false }],
  ['Mistral', list({ id: 'm', max_context_length: 32_768 }), { tokens: 32_768, loaded: false }],
  ['Together: a bare list', { models: [{ id: 'm', context_length: 8_192 }] }, { tokens: 8_192, loaded: false }],
  ['Gemini', { models: { models: [{ name: 'models/m', inputTokenLimit: 1_048_576 }] } }, { tokens: 1_048_576, loaded: false }],
  ['another model', list({ id: 'other', context_length: 4_096 }), null],
  [
    'llama.cpp, started with less than it was trained for',
    { ...list({ id: 'm', meta: { n_ctx_train: 131_072 } }), llamaCpp: { default_generation_settings: { n_ctx: 8_192 } } },
    { tokens: 8_192, loaded: true },
  ],
  ['llama.cpp without its properties', list({ id: 'm', meta: { n_ctx_train: 131_072 } }), { tokens: 131_072, loaded: false }],
  [
    'LM Studio, loaded',
    { lmStudio: { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 8_192 }] } },
    { tokens: 8_192, loaded: true },
  ],
  ['LM Studio, not loaded', { lmStudio: { data: [{ id: 'm', max_context_length: 32_768 }] } }, { tokens: 32_768, loaded: false }],
  [
    'Ollama, loaded with its default',
    {
      ...list({ id: 'm:latest', owned_by: 'library' }),
      ollamaLoaded: { models: [{ name: 'm:latest', model: 'm:latest', context_length: 4_096 }] },
      ollamaShow: { model_info: { 'llama.context_length': 131_072 } },
    },
    { tokens: 4_096, loaded: true },
  ],
  [
    'Ollama, with a parameter in its Modelfile',
    {
      ollamaShow: { parameters: 'stop "x"\nnum_ctx                        8192\ntop_k 4', model_info: { 'qwen3.context_length': 40_960 } },
    },
    { tokens: 8_192, loaded: false },
  ],
  ['Ollama, not loaded', { ollamaShow: { model_info: { 'qwen3.context_length': 40_960 } } }, { tokens: 40_960, loaded: false }],
  ['a number as text, a negative one, nothing', list({ id: 'm', context_length: '8192', max_model_len: -1, n_ctx: null }), null],
])('%s', (_name, answers, expected) => {
  expect(reportedContextWindow('m', answers)).toEqual(expected)
})

test('reads or ignores any response of a server', () => {
  const anything = fc.anything()
  fc.assert(
    fc.property(anything, anything, anything, anything, anything, (models, ollamaLoaded, ollamaShow, lmStudio, llamaCpp) => {
      const listed = reportedContextWindow('m', { models, ollamaLoaded, ollamaShow, lmStudio, llamaCpp })
      expect(listed === null || (Number.isSafeInteger(listed.tokens) && listed.tokens >= 1_024)).toBe(true)
    }),
  )
})
