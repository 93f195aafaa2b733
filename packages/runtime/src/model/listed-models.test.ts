import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostModels, offeredModels } from './listed-models.ts'

const bare = (id: string) => ({ id, name: null, context_tokens: null, images: null, tools: null, price: null })

test.each([
  ['OpenAI', { object: 'list', data: [{ id: 'gpt-5', object: 'model', created: 1, owned_by: 'openai' }] }, bare('gpt-5')],
  [
    'OpenRouter',
    {
      data: [
        {
          id: 'openai/gpt-5-mini',
          name: 'OpenAI: GPT-5 Mini',
          context_length: 400_000,
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
          pricing: { prompt: '0.00000025', completion: '0.000002', input_cache_read: '0.000000025', request: '0', image: '0' },
          top_provider: { context_length: 272_000, max_completion_tokens: 128_000 },
          supported_parameters: ['max_tokens', 'tools'],
        },
      ],
    },
    {
      ...bare('openai/gpt-5-mini'),
      name: 'OpenAI: GPT-5 Mini',
      context_tokens: 272_000,
      images: true,
      tools: true,
      price: { input: 0.25, cached_input: 0.025, output: 2 },
    },
  ],
  [
    'OpenRouter, free and without tools',
    { data: [{ id: 'a/b:free', pricing: { prompt: '0', completion: '0' }, supported_parameters: ['max_tokens'] }] },
    { ...bare('a/b:free'), tools: false, price: { input: 0, cached_input: null, output: 0 } },
  ],
  ['a router that chooses the model', { data: [{ id: 'auto', pricing: { prompt: '-1', completion: '-1' } }] }, bare('auto')],
  [
    'a price per request',
    { data: [{ id: 'search', pricing: { prompt: '0.000001', completion: '0.000001', request: '0.005' } }] },
    bare('search'),
  ],
  ['prices without a unit', { data: [{ id: 'm', pricing: { input: 0.18, output: 0.6 } }] }, bare('m')],
  ['a price that is too high', { data: [{ id: 'm', pricing: { prompt: '1', completion: '1' } }] }, bare('m')],
  [
    'Mistral',
    { data: [{ id: 'mistral-large', max_context_length: 131_072, capabilities: { vision: false, function_calling: true } }] },
    { ...bare('mistral-large'), context_tokens: 131_072, images: false, tools: true },
  ],
  [
    'the gateway',
    {
      object: 'list',
      data: [
        {
          ...{ id: 'openai/gpt-5', object: 'model', created: 0, owned_by: 'openai', display_name: 'GPT-5' },
          ...{ dialects: ['openai'], capabilities: ['chat', 'vision'], context_window: 400_000 },
        },
      ],
    },
    { ...bare('openai/gpt-5'), name: 'GPT-5', context_tokens: 400_000, images: true, tools: false },
  ],
  ['a bare list', [{ model: 'x' }], bare('x')],
  ['llama.cpp', { models: [{ model: 'gemma', capabilities: ['completion', 'multimodal'] }] }, bare('gemma')],
])('%s', (_what, models, expected) => {
  expect(offeredModels({ models })).toEqual({ models: [expected], omitted: 0 })
})

test('Ollama and LM Studio describe their models in their own lists', () => {
  const models = { data: [{ id: 'qwen3:8b' }, { id: 'llava' }] }
  const show = {
    capabilities: ['completion', 'tools'],
    model_info: { 'qwen3.context_length': 40_960 },
  }
  expect(offeredModels({ models }, new Map([['qwen3:8b', show]]))).toEqual({
    models: [{ ...bare('qwen3:8b'), context_tokens: 40_960, images: false, tools: true }, bare('llava')],
    omitted: 0,
  })
  const lmStudio = {
    data: [
      { id: 'qwen3:8b', type: 'llm', max_context_length: 32_768, capabilities: ['tool_use'] },
      { id: 'llava', type: 'vlm', max_context_length: 4_096, loaded_context_length: 2_048 },
      { id: 'text-embedding-nomic', type: 'embeddings' },
    ],
  }
  expect(offeredModels({ models: { data: [...models.data, { id: 'text-embedding-nomic' }] }, lmStudio })).toEqual({
    models: [
      { ...bare('qwen3:8b'), context_tokens: 32_768, images: false, tools: true },
      { ...bare('llava'), context_tokens: 2_048, images: true },
    ],
    omitted: 0,
  })
})

test.each([
  ['embeddings of the gateway', { id: 'e', capabilities: ['embeddings'] }],
  ['pictures', { id: 'i', architecture: { output_modalities: ['image'] } }],
  ['another type', { id: 't', type: 'embedding' }],
  ['only the other API', { id: 'c', dialects: ['anthropic'] }],
  ['no name', { id: '' }],
  ['a name of another type', { id: 7, name: ['x'] }],
  ['a name with a line break', { id: 'a\nb' }],
  ['an invisible character', { id: 'a\u202eb' }],
  ['a name that is too long', { id: 'x'.repeat(301) }],
  ['no entry', null],
])('left out: %s', (_what, entry) => {
  expect(offeredModels({ models: { data: [entry] } })).toEqual({ models: [], omitted: 0 })
})

test.each([[undefined], [null], [7], ['text'], [{}], [{ data: {} }], [{ error: 'no' }]])('%j is no list of models', (models) => {
  expect(offeredModels({ models })).toBe(null)
})

test('a list of 10,000 models is shortened, and says by how many', () => {
  const data = Array.from({ length: 10_000 }, (_, at) => ({ id: `m/${at}`, name: 'n'.repeat(10_000) }))
  const found = offeredModels({ models: { data: [...data, ...data] } })
  expect([found?.models.length, found?.omitted, found?.models[0]?.name?.length]).toEqual([mostModels, 10_000 - mostModels, 120])
})

test('whatever a server sends, the list has the shape of the contract', () => {
  const entry = fc.oneof(
    fc.anything(),
    fc.record(
      {
        ...{ id: fc.anything(), name: fc.anything(), context_length: fc.anything(), architecture: fc.anything() },
        ...{ pricing: fc.record({ prompt: fc.anything(), completion: fc.anything() }), supported_parameters: fc.anything() },
        ...{ capabilities: fc.anything(), top_provider: fc.anything() },
      },
      { requiredKeys: [] },
    ),
  )
  fc.assert(
    fc.property(fc.array(entry), fc.anything(), (data, details) => {
      const found = offeredModels({ models: { data }, lmStudio: details }, new Map([['a', details]]))
      for (const { id, name, context_tokens, images, tools, price } of found?.models ?? []) {
        expect(id).toMatch(/^[^\s\p{C}]{1,300}$/u)
        expect(name === null || (name.length > 0 && name.length <= 120)).toBe(true)
        expect(context_tokens === null || Number.isSafeInteger(context_tokens)).toBe(true)
        expect([images, tools].every((one) => one === null || typeof one === 'boolean')).toBe(true)
        expect(price === null || (price.input >= 0 && price.output >= 0)).toBe(true)
      }
    }),
  )
})
