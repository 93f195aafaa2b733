// The same refusal in the error formats of OpenAI and Anthropic, for their clients.
import type { Dialect, Route } from '@tandem/contract/http'
import { type AnthropicErrorBody, anthropicErrorType, type OpenAiErrorBody, openAiErrorType } from '@tandem/contract/llm'
import { problems } from '@tandem/contract/problem'
import type { FastifyRequest } from 'fastify'
import type { Refusal } from './refusal.ts'

const gateway = '/api/v1/llm/'

/** The dialect of a request's errors; none outside of the model gateway. */
export function dialectFor(request: FastifyRequest): Dialect | undefined {
  const route = (request.routeOptions.config as { route?: Route } | undefined)?.route
  if (route) return route.dialect
  // Unknown addresses and methods have no route; they use the dialect of the routes next to them.
  if (!request.url.startsWith(gateway)) return undefined
  const rest = request.url.slice(gateway.length)
  if (/^usage\b/.test(rest)) return undefined
  return /^(?:v1\/models|(?:v1\/)?messages)\b/.test(rest) ? 'anthropic' : 'openai'
}

export function dialectBody(dialect: Dialect, refusal: Refusal, requestId: string): OpenAiErrorBody | AnthropicErrorBody {
  const { status, remedy } = problems[refusal.code]
  const message = `${refusal.message}. ${remedy}`
  if (dialect === 'anthropic') return { type: 'error', error: { type: anthropicErrorType(status), message }, request_id: requestId }
  const pointer = refusal.extra.errors?.[0]?.pointer
  const param = pointer === undefined || pointer === '' ? null : pointer.slice(1).replaceAll('/', '.')
  return { error: { message, type: openAiErrorType(status), param, code: refusal.code } }
}
