// What a model can do. The configuration names operations and the gateway serves them, so both import this file.
import type { Dialect } from '@tandem/contract/http'

/** Each belongs to one dialect. */
export const operations = ['chat_completions', 'responses', 'embeddings', 'messages', 'count_tokens'] as const
export type Operation = (typeof operations)[number]

export const dialectOf = {
  chat_completions: 'openai',
  responses: 'openai',
  embeddings: 'openai',
  messages: 'anthropic',
  count_tokens: 'anthropic',
} as const satisfies Record<Operation, Dialect>
