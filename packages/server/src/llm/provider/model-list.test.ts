import { expect, test } from 'vitest'
import { readModelList } from './model-list.ts'

test('the fields that providers report of their models', () => {
  const data = [
    { id: 'gpt-x', object: 'model', owned_by: 'openai' },
    { id: 'text-embedding-x' },
    { id: 'claude-x', display_name: 'Claude X', max_input_tokens: 200_000, max_tokens: 64_000 },
    { id: 'claude-y', lifecycle: 'active', capabilities: { image_input: { supported: true }, thinking: { supported: true } } },
    { id: 'claude-old', lifecycle: 'retired' },
    { id: 'models/gemini-x', display_name: 'Gemini X' },
    { id: 'llama', context_window: 131_072, max_completion_tokens: 32_768 },
    {
      id: 'maker/model:free',
      name: 'Model',
      context_length: 1_000,
      top_provider: { max_completion_tokens: null },
      supported_parameters: ['tools', 'reasoning'],
      architecture: { input_modalities: ['text', 'image'] },
    },
    { id: 'mistral-x', max_context_length: 32_000, capabilities: { completion_chat: true, function_calling: false, vision: true } },
    { id: 'has space' },
    { id: 7 },
    null,
  ]
  expect(readModelList(JSON.stringify({ object: 'list', data }))).toEqual([
    { id: 'gpt-x', capabilities: ['chat', 'tools'] },
    { id: 'text-embedding-x', capabilities: ['embeddings'] },
    { id: 'claude-x', display_name: 'Claude X', context_window: 200_000, max_output_tokens: 64_000, capabilities: ['chat', 'tools'] },
    { id: 'claude-y', capabilities: ['chat', 'tools', 'vision', 'reasoning'] },
    { id: 'gemini-x', display_name: 'Gemini X', capabilities: ['chat', 'tools'] },
    { id: 'llama', context_window: 131_072, max_output_tokens: 32_768, capabilities: ['chat', 'tools'] },
    { id: 'maker/model:free', display_name: 'Model', context_window: 1_000, capabilities: ['chat', 'tools', 'vision', 'reasoning'] },
    { id: 'mistral-x', context_window: 32_000, capabilities: ['chat', 'vision'] },
  ])
  expect([readModelList('{}'), readModelList('[]')]).toEqual([[], []])
})
