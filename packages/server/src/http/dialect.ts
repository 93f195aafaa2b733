// The same refusal in the words of those whose clients call: OpenAI's and Anthropic's own error shapes.
import type { Dialect, Route } from '@tandem/contract/http'
import { type AnthropicErrorBody, anthropicErrorType, type OpenAiErrorBody, openAiErrorType } from '@tandem/contract/llm'
import { problems } from '@tandem/contract/problem'
import type { FastifyRequest } from 'fastify'
import type { Refusal } from './refusal.ts'

const gateway = '/api/v1/llm/'

/** The dialect a request's errors take; none outside the model gateway. */
export function dialectFor(request: FastifyRequest): Dialect | undefined {
  const route = (request.routeOptions.config as { route?: Route } | undefined)?.route
  if (route) return route.dialect
  // Addresses nobody serves, or not with that method, have no route; whoever asked there speaks like the neighbours.
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
