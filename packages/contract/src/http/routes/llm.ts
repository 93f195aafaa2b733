import { limits } from '../../limits/index.ts'
import {
  AnthropicModel,
  AnthropicModelList,
  AnthropicModelQuery,
  ModelCallHeaders,
  ModelCard,
  ModelList,
  ModelParams,
  UsageQuery,
  UsageReport,
} from '../../llm/schema.ts'
import type { ProblemCode } from '../../problem/index.ts'
import { type Dialect, type Route, route } from '../route.ts'

const card = {
  id: 'demo/scripted',
  object: 'model',
  created: 1_790_000_000,
  owned_by: 'tandem',
  display_name: 'Scripted demo',
  dialects: ['openai', 'anthropic'],
  capabilities: ['chat', 'tools'],
  context_window: 32_768,
}
const anthropicCard = {
  type: 'model',
  id: 'demo/scripted',
  display_name: 'Scripted demo',
  created_at: '1970-01-01T00:00:00Z',
}
const numbers = { requests: 12, failed_requests: 1, input_tokens: 18_400, cached_input_tokens: 6_100, output_tokens: 3_950 }

const modelProblems = [
  'model_not_found',
  'dialect_unsupported',
  'quota_exceeded',
  'upstream_rate_limited',
  'upstream_failed',
  'upstream_refused',
  'upstream_timeout',
  'cache_unavailable',
] as const satisfies readonly ProblemCode[]

const question = { model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] }
const generation = '01996f2e-8a10-7c3b-9d52-6f1e0a4b7c10'

/** A request and its whole reply; with `stream: true` the reply is a stream of events. */
const chat = {
  body: question,
  reply: {
    id: `chatcmpl-${generation}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  },
}
const response = {
  body: { model: 'demo/scripted', input: 'Hello' },
  reply: {
    id: `resp_${generation}`,
    object: 'response',
    created_at: 1_790_000_000,
    status: 'completed',
    model: 'scripted',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello!', annotations: [] }] }],
    usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  },
}
const embeddings = {
  body: { model: 'ollama/nomic-embed-text', input: ['Hello'] },
  reply: {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.0131, -0.0442, 0.0709] }],
    model: 'nomic-embed-text',
    usage: { prompt_tokens: 2, total_tokens: 2 },
  },
}
const message = {
  body: { ...question, max_tokens: 1_024 },
  reply: {
    id: `msg_${generation}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [{ type: 'text', text: 'Hello!' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 3 },
  },
}
const count = { body: question, reply: { input_tokens: 9 } }

export const llmRoutes = {
  llm_models_list: route({
    id: 'llm_models_list',
    method: 'GET',
    path: '/api/v1/llm/models',
    tag: 'llm',
    summary: 'List models',
    auth: 'user',
    replies: { 200: ModelList },
    problems: [],
    rate: 'read',
    dialect: 'openai',
    examples: { reply: { object: 'list', data: [card] } },
  }),
  llm_models_get: route({
    id: 'llm_models_get',
    method: 'GET',
    path: '/api/v1/llm/models/*',
    tag: 'llm',
    summary: 'Get a model',
    auth: 'user',
    params: ModelParams,
    replies: { 200: ModelCard },
    problems: ['model_not_found'],
    rate: 'read',
    dialect: 'openai',
    examples: { params: { '*': 'demo/scripted' }, reply: card },
  }),
  llm_chat_completions: forward('llm_chat_completions', 'openai', '/api/v1/llm/chat/completions', 'Create a chat completion', chat),
  llm_responses: forward('llm_responses', 'openai', '/api/v1/llm/responses', 'Create a response', response),
  llm_embeddings: forward('llm_embeddings', 'openai', '/api/v1/llm/embeddings', 'Create embeddings', embeddings),
  llm_messages: forward('llm_messages', 'anthropic', '/api/v1/llm/messages', 'Create a message', message),
  llm_messages_count_tokens: forward(
    'llm_messages_count_tokens',
    'anthropic',
    '/api/v1/llm/messages/count_tokens',
    'Count the tokens of a message',
    count,
  ),
  llm_v1_messages: forward('llm_v1_messages', 'anthropic', '/api/v1/llm/v1/messages', 'Create a message, where an SDK adds /v1', message),
  llm_v1_messages_count_tokens: forward(
    'llm_v1_messages_count_tokens',
    'anthropic',
    '/api/v1/llm/v1/messages/count_tokens',
    'Count the tokens of a message, where an SDK adds /v1',
    count,
  ),
  llm_v1_models_list: route({
    id: 'llm_v1_models_list',
    method: 'GET',
    path: '/api/v1/llm/v1/models',
    tag: 'llm',
    summary: 'List models, where an SDK adds /v1',
    description: "In Anthropic's format, and only models that support its API.",
    auth: 'user',
    query: AnthropicModelQuery,
    replies: { 200: AnthropicModelList },
    problems: [],
    rate: 'read',
    dialect: 'anthropic',
    examples: {
      query: { limit: 20 },
      reply: { data: [anthropicCard], has_more: false, first_id: 'demo/scripted', last_id: 'demo/scripted' },
    },
  }),
  llm_v1_models_get: route({
    id: 'llm_v1_models_get',
    method: 'GET',
    path: '/api/v1/llm/v1/models/*',
    tag: 'llm',
    summary: 'Get a model, where an SDK adds /v1',
    auth: 'user',
    params: ModelParams,
    replies: { 200: AnthropicModel },
    problems: ['model_not_found'],
    rate: 'read',
    dialect: 'anthropic',
    examples: { params: { '*': 'demo/scripted' }, reply: anthropicCard },
  }),
  llm_usage: route({
    id: 'llm_usage',
    method: 'GET',
    path: '/api/v1/llm/usage',
    tag: 'llm',
    summary: 'Get your model usage',
    description: `By day, model and device; the last 30 days by default, at most ${limits.usage_days} days per request.`,
    auth: 'user',
    query: UsageQuery,
    replies: { 200: UsageReport },
    problems: [],
    rate: 'read',
    examples: {
      query: { since: '2026-09-01', until: '2026-09-30' },
      reply: {
        since: '2026-09-01',
        until: '2026-09-30',
        totals: numbers,
        by_day: [{ day: '2026-09-21', ...numbers }],
        by_model: [{ model: 'demo/scripted', ...numbers }],
        by_device: [{ device_id: 'mara-laptop', ...numbers }],
      },
    },
  }),
}

/** A call that is passed to the model's provider unchanged, as is its response, whole or as a stream of events. */
function forward<const Id extends string>(id: Id, dialect: Dialect, path: string, summary: string, examples: Route['examples']) {
  return route({
    id,
    method: 'POST',
    path,
    tag: 'llm',
    summary,
    auth: 'user',
    headers: ModelCallHeaders,
    body: { content: 'passthrough', dialect, media_types: ['application/json'] },
    replies: { 200: { content: 'passthrough', dialect, media_types: ['application/json', 'text/event-stream'] } },
    problems: modelProblems,
    body_limit: limits.model_request_bytes,
    rate: 'model',
    dialect,
    examples,
  })
}
