// Turns every error into one problem of the contract's table, in one place.
import type { OutgoingHttpHeaders } from 'node:http'
import type { Dialect } from '@tandem/contract/http'
import { type ProblemCode, problemMediaType, problems } from '@tandem/contract/problem'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dialectBody, dialectFor } from './dialect.ts'
import { bodyTooLarge, problemBody, Refusal, refuse } from './refusal.ts'

/** Errors of infrastructure that a client can wait out. */
const unavailable: Record<string, ProblemCode> = {
  database_unavailable: 'database_unavailable',
  cache_unavailable: 'cache_unavailable',
  storage_unavailable: 'storage_unavailable',
  accounts_unavailable: 'accounts_unavailable',
}

const fastifyCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_REOPENED_CLOSE_SERVER: 'restarting',
}

const retryAfterSeconds = 2

/** May succeed on a retry. */
const passing = new Set<ProblemCode>([
  'rate_limited',
  'upstream_rate_limited',
  'upstream_failed',
  'upstream_timeout',
  'internal_error',
  'overloaded',
  'restarting',
  ...Object.values(unavailable),
])

/** While a part is unavailable every request fails the same way: it is logged only occasionally. */
const quietMs = 5_000

/** The code of a failure; unexpected ones and outages are logged. */
export type Failures = (error: unknown, log: FastifyBaseLogger) => Refusal

export function openFailures(): Failures {
  const toldAt = new Map<string, number>()
  return (error, log) => {
    const refusal = refusalFor(error instanceof Error ? error : new Error('a value that is not an error was thrown', { cause: error }))
    if (refusal.code === 'internal_error') log.error({ err: error }, 'request failed')
    else if (unavailable[refusal.code] && performance.now() - (toldAt.get(refusal.code) ?? Number.NEGATIVE_INFINITY) >= quietMs) {
      toldAt.set(refusal.code, performance.now())
      log.warn({ err: error }, `a dependency does not respond: ${refusal.code}`)
    }
    return refusal
  }
}

export function registerErrorHandler(app: FastifyInstance, failures = openFailures()): void {
  app.setErrorHandler((error, request, reply) => sendRefusal(failures(named(error, request), request.log), request, reply))
}

/** Fastify does not report which limit was exceeded. */
function named(error: unknown, { routeOptions }: FastifyRequest): unknown {
  const tooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
  return tooLarge && routeOptions.bodyLimit !== undefined ? bodyTooLarge(routeOptions.bodyLimit) : error
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, text } = refusalResponse(refusal, dialectFor(request), request.id)
  // Fastify closes the connection of a body that is too large. A caller that is still sending would see a broken pipe instead of the
  // response; the rest is drained instead (transport.ts).
  if (refusal.code === 'payload_too_large') reply.removeHeader('connection')
  return reply
    .code(status)
    .headers({ ...headers, 'x-request-id': request.id })
    .send(text)
}

/** A refusal as it is sent: in the dialect of the route, or as a problem. */
export function refusalResponse(
  refusal: Refusal,
  dialect: Dialect | undefined,
  requestId: string,
): { status: number; headers: OutgoingHttpHeaders; text: string } {
  const { status } = problems[refusal.code]
  const retryAfter = refusal.extra.retry_after_seconds
  const headers: OutgoingHttpHeaders = { 'cache-control': 'no-store' }
  headers['content-type'] = dialect ? 'application/json; charset=utf-8' : problemMediaType
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
  // SDKs of models retry after 409, 429 and 5xx unless a header tells them not to.
  if (dialect && !passing.has(refusal.code)) headers['x-should-retry'] = 'false'
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  const body = dialect ? dialectBody(dialect, refusal, requestId) : problemBody(refusal, requestId)
  return { status, headers, text: JSON.stringify(body) }
}

/** Properties of the errors of Fastify and of drivers. */
interface Marked extends Error {
  readonly code?: unknown
  readonly statusCode?: unknown
}

function refusalFor(error: Marked): Refusal {
  if (error instanceof Refusal) return error
  const name = String(error.code)
  const code = unavailable[name]
  if (code) return refuse(code, problems[code].title, { retry_after_seconds: retryAfterSeconds })
  if (name === '22021' || name === '22P05')
    return refuse('invalid_request', 'a string contains the character U+0000, which cannot be stored')
  const known = fastifyCodes[name]
  if (known === 'restarting') return refuse(known, 'this server is shutting down', { retry_after_seconds: retryAfterSeconds })
  if (known) return refuse(known, error.message)
  if (error instanceof SyntaxError || (typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500)) {
    return refuse('invalid_request', error.message)
  }
  return refuse('internal_error', 'an unexpected error occurred; it is logged under the request_id')
}
