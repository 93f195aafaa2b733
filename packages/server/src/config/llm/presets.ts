// Providers that need only a key. Addresses and operations are data; the rest is one upstream over HTTP.
import type { Operation } from '../../operation.ts'

export interface Preset {
  readonly base_url: string
  readonly operations: readonly Operation[]
  /** `bearer` for all but Anthropic. */
  readonly auth: 'bearer' | 'x-api-key'
  /** `asked`: a stream reports usage if `stream_options` requests it. `always`: it does so anyway, and rejects the option. */
  readonly stream_usage: 'asked' | 'always'
}

const openAiCompatible = { auth: 'bearer', stream_usage: 'asked' } as const

export const presets = {
  openai: { ...openAiCompatible, base_url: 'https://api.openai.com/v1', operations: ['chat_completions', 'responses', 'embeddings'] },
  anthropic: {
    base_url: 'https://api.anthropic.com/v1',
    operations: ['messages', 'count_tokens'],
    auth: 'x-api-key',
    stream_usage: 'always',
  },
  gemini: {
    ...openAiCompatible,
    base_url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    operations: ['chat_completions', 'embeddings'],
  },
  openrouter: {
    ...openAiCompatible,
    base_url: 'https://openrouter.ai/api/v1',
    operations: ['chat_completions', 'responses', 'embeddings', 'messages'],
  },
  mistral: {
    base_url: 'https://api.mistral.ai/v1',
    operations: ['chat_completions', 'embeddings'],
    auth: 'bearer',
    stream_usage: 'always',
  },
  groq: { ...openAiCompatible, base_url: 'https://api.groq.com/openai/v1', operations: ['chat_completions', 'responses'] },
  deepseek: { ...openAiCompatible, base_url: 'https://api.deepseek.com', operations: ['chat_completions'] },
  xai: { ...openAiCompatible, base_url: 'https://api.x.ai/v1', operations: ['chat_completions', 'responses'] },
  ollama: {
    ...openAiCompatible,
    base_url: 'http://127.0.0.1:11434/v1',
    operations: ['chat_completions', 'responses', 'embeddings', 'messages'],
  },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets

export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

export const providerVariables = {
  OPENAI_API_KEY: 'OpenAI API key',
  OPENAI_BASE_URL: 'base URL of OpenAI or a compatible service; with /v1',
  ANTHROPIC_API_KEY: 'Anthropic API key',
  ANTHROPIC_BASE_URL: 'base URL of Anthropic or a compatible service',
  GEMINI_API_KEY: 'Gemini API key',
  GEMINI_BASE_URL: 'base URL of the OpenAI-compatible API of Gemini',
  OPENROUTER_API_KEY: 'OpenRouter API key',
  OPENROUTER_BASE_URL: 'base URL of OpenRouter',
  MISTRAL_API_KEY: 'Mistral API key',
  MISTRAL_BASE_URL: 'base URL of Mistral',
  GROQ_API_KEY: 'Groq API key',
  GROQ_BASE_URL: 'base URL of Groq',
  DEEPSEEK_API_KEY: 'DeepSeek API key',
  DEEPSEEK_BASE_URL: 'base URL of DeepSeek',
  XAI_API_KEY: 'xAI API key',
  XAI_BASE_URL: 'base URL of xAI',
  OLLAMA_HOST: 'address of Ollama; loopback, port 11434, by default; off to disable it',
  LLM_CONFIG: 'JSON file with more providers, aliases and fallbacks of models',
  LLM_DEMO: 'on or off: the scripted demo model; on in development; in production on only if no other provider is configured',
} as const satisfies Record<string, string>

/** The variables with the key and the address of each provider. */
export const keyedProviders = [
  ['openai', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  ['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  ['gemini', 'GEMINI_API_KEY', 'GEMINI_BASE_URL'],
  ['openrouter', 'OPENROUTER_API_KEY', 'OPENROUTER_BASE_URL'],
  ['mistral', 'MISTRAL_API_KEY', 'MISTRAL_BASE_URL'],
  ['groq', 'GROQ_API_KEY', 'GROQ_BASE_URL'],
  ['deepseek', 'DEEPSEEK_API_KEY', 'DEEPSEEK_BASE_URL'],
  ['xai', 'XAI_API_KEY', 'XAI_BASE_URL'],
] as const satisfies readonly (readonly [PresetName, keyof typeof providerVariables, keyof typeof providerVariables])[]
