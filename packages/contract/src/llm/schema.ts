import Type, { type Static } from 'typebox'
import { Count, Key, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { anthropicErrorTypes, dialects, modelCapabilities, openAiErrorTypes } from './index.ts'

/** `provider/model`; what follows the first slash is the provider's own name and may contain more slashes. */
export const ModelId = Type.String({ minLength: 3, maxLength: 300, pattern: '^[a-z0-9][a-z0-9_-]*/[A-Za-z0-9._:@/+-]+$' })

/** OpenAI's `model` object, with what users want to know when they choose one. */
export const ModelCard = object({
  id: ModelId,
  object: Type.Literal('model'),
  created: Count,
  owned_by: Line,
  display_name: Type.Optional(Line),
  dialects: listOf(oneOf(dialects), { description: 'The APIs this model can be called through' }),
  capabilities: listOf(oneOf(modelCapabilities)),
  context_window: Type.Optional(Count),
  max_output_tokens: Type.Optional(Count),
})
export type ModelCard = Static<typeof ModelCard>

export const ModelList = object({ object: Type.Literal('list'), data: listOf(ModelCard) })
export type ModelList = Static<typeof ModelList>

/** Anthropic's `model` object. */
export const AnthropicModel = object({
  type: Type.Literal('model'),
  id: ModelId,
  display_name: Line,
  created_at: Type.Literal('1970-01-01T00:00:00Z', { description: 'Not known: Anthropic uses the epoch for this' }),
})
export type AnthropicModel = Static<typeof AnthropicModel>

export const AnthropicModelList = object({
  data: listOf(AnthropicModel),
  has_more: Type.Boolean(),
  first_id: nullable(ModelId),
  last_id: nullable(ModelId),
})
export type AnthropicModelList = Static<typeof AnthropicModelList>

/** Pagination as in Anthropic's API: forward or backward from one model. */
export const AnthropicModelQuery = object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 20 })),
  after_id: Type.Optional(ModelId),
  before_id: Type.Optional(ModelId),
})
export type AnthropicModelQuery = Static<typeof AnthropicModelQuery>

/** Which of the caller's devices makes the request: `GET /usage` then reports the usage per device. */
export const ModelCallHeaders = object({ 'x-device-id': Type.Optional(Key) })

/** `/api/v1/llm/models/*`: the id contains a slash, so it is the rest of the path. */
export const ModelParams = object({ '*': Type.String({ minLength: 1, maxLength: 300 }) })

export const OpenAiErrorBody = object({
  error: object({
    message: Text,
    type: oneOf(openAiErrorTypes),
    param: nullable(Type.String()),
    code: nullable(Type.String({ description: 'The code of the problem' })),
  }),
})
export type OpenAiErrorBody = Static<typeof OpenAiErrorBody>

export const AnthropicErrorBody = object({
  type: Type.Literal('error'),
  error: object({ type: oneOf(anthropicErrorTypes), message: Text }),
  request_id: Line,
})
export type AnthropicErrorBody = Static<typeof AnthropicErrorBody>

/** A calendar day in UTC. */
export const Day = Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$', description: 'UTC day' })

export const UsageQuery = object({
  since: Type.Optional(Day),
  until: Type.Optional(Day),
  model: Type.Optional(ModelId),
  device_id: Type.Optional(Key),
})
export type UsageQuery = Static<typeof UsageQuery>

const numbers = {
  requests: Count,
  failed_requests: Count,
  input_tokens: Count,
  cached_input_tokens: Count,
  output_tokens: Count,
}

export const UsageNumbers = object(numbers)
export type UsageNumbers = Static<typeof UsageNumbers>

/** The caller's own usage; each list adds up to `totals`. Calls without a device have no `device_id`. */
export const UsageReport = object({
  since: Day,
  until: Day,
  totals: UsageNumbers,
  by_day: listOf(object({ day: Day, ...numbers })),
  by_model: listOf(object({ model: ModelId, ...numbers })),
  by_device: listOf(object({ device_id: Type.Optional(Key), ...numbers })),
  quota: Type.Optional(object({ tokens: Count, used_tokens: Count, renews_at: Timestamp })),
})
export type UsageReport = Static<typeof UsageReport>
