// What an error of a model's server means, whether it comes with a status, inside a 200 or inside a stream. Pure. The server's own code is
// checked first, then the status; the message only if neither is clear.
import { isTokens } from './context-window.ts'
import type { ModelFailure, ModelFailureCode } from './failure.ts'

export interface ErrorResponse {
  /** Null for an error inside a 200 or a stream without a status. */
  readonly status: number | null
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>
}

export interface ErrorFacts {
  /** Codes, types and statuses by name, in lower case. */
  readonly names: readonly string[]
  readonly status: number | null
  readonly message: string
  /** The field of the request that the error is about. */
  readonly param: string
  readonly context_tokens: number | null
  readonly retry_after_ms: number | null
}

export function failureOf(answer: ErrorResponse, now: number): ModelFailure {
  const facts = errorFacts(answer.body)
  const status = answer.status ?? facts.status
  const message =
    facts.message || (status === null ? 'the model sent an error without a message' : `the model's address responded with ${status}`)
  const code = codeOf(status, facts)
  return {
    code,
    message,
    status,
    retry_after_ms: retryAfter(answer.headers ?? {}, now) ?? facts.retry_after_ms,
    context_tokens: code === 'context_overflow' ? facts.context_tokens : null,
  }
}

/** The body of a response as JSON, or its beginning as text. */
export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: perhaps the page of a proxy. Only its beginning is worth showing.
    return text.trim().slice(0, 500)
  }
}

/** Whether a 200 or a chunk of a stream is an error. */
export function errorInside(chunk: unknown): boolean {
  const one = Array.isArray(chunk) ? chunk[0] : chunk
  const { error, object, choices, type } = fields(one)
  if (error) return true
  if (object === 'error' || type === 'error') return true
  // OpenRouter puts the error of one provider into the choice.
  return Boolean(Array.isArray(choices) && fields(choices[0]).error)
}

function codeOf(status: number | null, { names, message }: ErrorFacts): ModelFailureCode {
  // A request that exceeds a limit per minute will never fit: only a shorter one will.
  if (status === 413) return 'context_overflow'
  const named = names.map((name) => namedCodes[name]).find((code) => code !== undefined)
  if (named) return named
  if (overflowWords.test(message)) return 'context_overflow'
  if (creditWords.test(message)) return 'budget_spent'
  return status === null ? 'broken_stream' : codeOfStatus(status)
}

function codeOfStatus(status: number): ModelFailureCode {
  if (status === 402) return 'budget_spent'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'unknown_model'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limited'
  return status === 409 || status === 425 || status >= 500 ? 'server_error' : 'rejected'
}

/** Error names of OpenAI, Anthropic, Google, DeepSeek, OpenRouter, LiteLLM, llama.cpp, and the gateway itself. */
const namedCodes: Readonly<Record<string, ModelFailureCode | undefined>> = {
  context_length_exceeded: 'context_overflow',
  context_window_exceeded: 'context_overflow',
  exceed_context_size_error: 'context_overflow',
  request_too_large: 'context_overflow',
  model_not_found: 'unknown_model',
  unknown_model: 'unknown_model',
  quota_exceeded: 'budget_spent',
  insufficient_quota: 'budget_spent',
  budget_exhausted: 'budget_spent',
  budget_exceeded: 'budget_spent',
  insufficient_balance: 'budget_spent',
  insufficient_credits: 'budget_spent',
  billing_hard_limit_reached: 'budget_spent',
  billing_not_active: 'budget_spent',
  billing_error: 'budget_spent',
  rate_limited: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  rate_limit_error: 'rate_limited',
  upstream_rate_limited: 'rate_limited',
  too_many_requests: 'rate_limited',
  resource_exhausted: 'rate_limited',
  overloaded: 'server_error',
  overloaded_error: 'server_error',
  engine_overloaded_error: 'server_error',
  upstream_failed: 'server_error',
  internal_error: 'server_error',
  internal_server_error: 'server_error',
  service_unavailable: 'server_error',
  unavailable: 'server_error',
  timeout_error: 'timeout',
  upstream_timeout: 'timeout',
  deadline_exceeded: 'timeout',
  invalid_api_key: 'unauthorized',
  authentication_error: 'unauthorized',
  unauthenticated: 'unauthorized',
  permission_error: 'unauthorized',
  permission_denied: 'unauthorized',
}

const overflowWords =
  /context (?:length|window|size)|maximum (?:context|prompt) length|(?:prompt|input|request)(?: is)? too (?:long|large)|too many (?:input )?tokens|input token count|maximum number of tokens|context the overflows/i

const creditWords = /credit balance|insufficient (?:account )?(?:balance|credits?|funds|quota)|more credits|out of credits|billing/i

/** Reads error bodies of every format. */
export function errorFacts(body: unknown): ErrorFacts {
  const whole = fields(Array.isArray(body) ? body[0] : body)
  const choice = fields(Array.isArray(whole.choices) ? whole.choices[0] : undefined)
  const said = whole.error ?? choice.error ?? whole
  const error = fields(said)
  const names = [error.code, error.type, error.status, whole.code]
    .filter((name) => typeof name === 'string')
    .map((name) => name.toLowerCase())
  return {
    names: names.filter((name) => !/^\d+$/.test(name)),
    status: [error.code, error.status, whole.code].map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null,
    message: messageIn(typeof body === 'string' ? body : said, error).slice(0, 2_000),
    param: string(error.param),
    context_tokens: [error.n_ctx, tokensIn(messageIn(said, error))].find(isTokens) ?? null,
    retry_after_ms: retryInfo(error.details),
  }
}

function messageIn(said: unknown, error: Record<string, unknown>): string {
  if (typeof said === 'string') return said
  const message = string(error.message) || string(error.detail) || string(error.title) || details(error.detail)
  // The message of the provider is more useful than that of the router in front of it.
  const raw = fields(error.metadata).raw
  return typeof raw === 'string' && raw !== '' && !message.includes(raw) ? `${message}: ${raw}` : message
}

/** `[{loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted'}]` */
function details(detail: unknown): string {
  if (!Array.isArray(detail)) return ''
  return detail.map((one) => `${[fields(one).loc].flat().join('.')}: ${string(fields(one).msg)}`).join('; ')
}

const tokenWords = [
  /maximum (?:context|prompt) length (?:is|of) ([\d,]+)/i,
  /available context size \(([\d,]+)/i,
  /context length of only ([\d,]+)/i,
  /tokens > ([\d,]+) maximum/i,
  /tokens allowed \(([\d,]+)\)/i,
  /([\d,]+) maximum context length/i,
] as const

function tokensIn(message: string): number | null {
  const found = tokenWords.map((pattern) => pattern.exec(message)?.[1]).find((text) => text !== undefined)
  return found === undefined ? null : Number(found.replaceAll(',', ''))
}

/** Google: `{"@type": "…RetryInfo", "retryDelay": "34s"}` */
function retryInfo(details: unknown): number | null {
  if (!Array.isArray(details)) return null
  const delay = details.map((one) => /^([\d.]+)s$/.exec(string(fields(one).retryDelay))?.[1]).find((text) => text !== undefined)
  return delay === undefined ? null : Math.ceil(Number(delay) * 1_000)
}

/** `retry-after-ms`; otherwise `retry-after` in seconds or as a date. A date in the past means now. */
export function retryAfter(headers: NonNullable<ErrorResponse['headers']>, now: number): number | null {
  const exact = number(headers['retry-after-ms'])
  if (exact !== null) return Math.ceil(exact)
  const after = [headers['retry-after']].flat()[0]
  const seconds = number(after)
  if (seconds !== null) return Math.ceil(seconds * 1_000)
  // Some parsers read a bare number as a year.
  const date = /[a-z]{3}/i.test(after ?? '') ? Date.parse(after ?? '') : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function number(value: string | string[] | undefined): number | null {
  const text = [value].flat()[0]?.trim() ?? ''
  const parsed = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(parsed) && parsed >= 0 ? parsed : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
