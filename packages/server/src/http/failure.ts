// Whatever goes wrong becomes one problem of the contract's table, in one place.
import { type ProblemCode, problemMediaType, problems } from '@tandem/contract/problem'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dialectBody, dialectFor } from './dialect.ts'
import { problemBody, Refusal, refuse } from './refusal.ts'

/** Errors of the ground that a client can wait out. */
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

/** While a part is away every request fails alike: one line now and then tells it. */
const quietMs = 5_000

export function answerFailures(app: FastifyInstance): void {
  const toldAt = new Map<string, number>()
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalFor(error)
    if (refusal.code === 'internal_error') request.log.error({ err: error }, 'request failed')
    else if (unavailable[refusal.code] && performance.now() - (toldAt.get(refusal.code) ?? Number.NEGATIVE_INFINITY) >= quietMs) {
      toldAt.set(refusal.code, performance.now())
      request.log.warn({ err: error }, `a part does not answer: ${refusal.code}`)
    }
    return sendRefusal(refusal, request, reply)
  })
}

export function sendRefusal(refusal: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = problems[refusal.code]
  const retryAfter = refusal.extra.retry_after_seconds
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  reply.header('cache-control', 'no-store').code(status)
  const dialect = dialectFor(request)
  if (dialect) return reply.type('application/json; charset=utf-8').send(JSON.stringify(dialectBody(dialect, refusal, request.id)))
  return reply.type(problemMediaType).send(JSON.stringify(problemBody(refusal, request.id)))
}

function refusalFor(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error
  const code = unavailable[error.code]
  if (code) return refuse(code, problems[code].title, { retry_after_seconds: retryAfterSeconds })
  if (error.code === '22021' || error.code === '22P05')
    return refuse('invalid_request', 'a text holds the character U+0000, which can not be kept')
  const known = fastifyCodes[error.code]
  if (known === 'restarting') return refuse(known, 'this node is being shut down', { retry_after_seconds: retryAfterSeconds })
  if (known) return refuse(known, error.message)
  if (error instanceof SyntaxError || (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)) {
    return refuse('invalid_request', error.message)
  }
  return refuse('internal_error', 'an error that the service did not expect; it is logged under the request_id')
}
