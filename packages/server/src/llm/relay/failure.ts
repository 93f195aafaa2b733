// How a provider's failure is reported to the caller: with its own text if that helps, with ours if it would leak or confuse. Pure.
import type { Dialect } from '@tandem/contract/http'
import { anthropicErrorType, openAiErrorType } from '@tandem/contract/llm'
import { isRecord, parseJson } from './usage.ts'

type UpstreamProblem = 'upstream_failed' | 'upstream_refused' | 'upstream_timeout' | 'upstream_rate_limited'

export type Failure =
  /** The provider's text, in the caller's dialect. */
  | { readonly kind: 'told'; readonly status: number; readonly body: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly code: UpstreamProblem; readonly detail: string; readonly retry_after_ms?: number }

export interface FailedReply {
  readonly provider: string
  readonly dialect: Dialect
  readonly status: number
  readonly text: string
  /** The headers that are forwarded to the caller. */
  readonly headers: Readonly<Record<string, string>>
  readonly retry_after_ms: number | undefined
  readonly request_id: string
  readonly betrays: (text: string) => boolean
}

/** Errors about this service's account at the provider are not shown to the caller. */
const aboutUs = new Set([401, 402, 403, 407])

export function failureOf(reply: FailedReply): Failure {
  const { provider, status, retry_after_ms } = reply
  const wait = retry_after_ms === undefined ? {} : { retry_after_ms }
  if (aboutUs.has(status)) return { kind: 'problem', code: 'upstream_refused', detail: `${provider} refused the call (${status})` }
  // A provider's text about a limit names the operator's organization and its limits.
  if (status >= 400 && status < 500 && status !== 429) {
    const body = toldIn(reply)
    if (body !== undefined) return { kind: 'told', status, body, headers: reply.headers }
  }
  if (status === 429) return { kind: 'problem', code: 'upstream_rate_limited', detail: `${provider} returned 429`, ...wait }
  if (status === 408 || status === 504)
    return { kind: 'problem', code: 'upstream_timeout', detail: `${provider} returned ${status}`, ...wait }
  return { kind: 'problem', code: 'upstream_failed', detail: `${provider} returned ${status}`, ...wait }
}

/** How providers mention the operator's account in their texts. */
const accounts = /\b(?:org|proj|acct|team|workspace)[-_][A-Za-z0-9]{6,}\b/g

function toldIn({ dialect, status, text: said, request_id, betrays }: FailedReply): string | undefined {
  if (said === '' || betrays(said)) return undefined
  const text = said.replace(accounts, '…')
  const body = parseJson(text)
  // Gemini wraps its errors in a list.
  const message = Array.isArray(body) ? body[0] : body
  if (!isRecord(message)) return undefined
  if (message === body && speaks(dialect, message)) return text
  const words = [isRecord(message.error) ? message.error.message : message.error, message.message, message.detail].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  if (words === undefined) return undefined
  return JSON.stringify(errorIn(dialect, status, words.slice(0, 4_000), request_id))
}

function speaks(dialect: Dialect, { type, error }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(error) && typeof error.message === 'string' && (dialect === 'anthropic') === (type === 'error')
}

function errorIn(dialect: Dialect, status: number, message: string, request_id: string): object {
  if (dialect === 'anthropic') return { type: 'error', error: { type: anthropicErrorType(status), message }, request_id }
  return { error: { message, type: openAiErrorType(status), param: null, code: null } }
}
