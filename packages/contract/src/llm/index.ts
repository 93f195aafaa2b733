// The model gateway uses two third-party dialects. These are their names for errors, by HTTP status.
import type { Dialect } from '../http/route.ts'

export type {
  AnthropicErrorBody,
  AnthropicModel,
  AnthropicModelList,
  AnthropicModelQuery,
  ModelCard,
  ModelList,
  OpenAiErrorBody,
  UsageNumbers,
  UsageQuery,
  UsageReport,
} from './schema.ts'

export const dialects = ['openai', 'anthropic'] as const satisfies readonly Dialect[]

/** The capabilities of a model. */
export const modelCapabilities = ['chat', 'embeddings', 'tools', 'vision', 'reasoning'] as const
export type ModelCapability = (typeof modelCapabilities)[number]

export const openAiErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'rate_limit_error',
  'server_error',
] as const
export type OpenAiErrorType = (typeof openAiErrorTypes)[number]

export const anthropicErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'api_error',
  'timeout_error',
  'overloaded_error',
] as const
export type AnthropicErrorType = (typeof anthropicErrorTypes)[number]

const openAiByStatus: Readonly<Record<number, OpenAiErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
}

export function openAiErrorType(status: number): OpenAiErrorType {
  return openAiByStatus[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
}

const anthropicByStatus: Readonly<Record<number, AnthropicErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

export function anthropicErrorType(status: number): AnthropicErrorType {
  return anthropicByStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
