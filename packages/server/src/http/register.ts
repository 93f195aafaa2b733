// One executor for every route: who asks, how often, what they send, then the handler, then the reply.
import { isContent, type Route } from '@tandem/contract/http'
import { limits } from '@tandem/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Caller } from '../token/tokens.ts'
import type { Admission } from './admission.ts'
import type { Endpoint } from './endpoint.ts'
import { lateLog } from './late-log.ts'
import { multipartOf, takeMultipart } from './multipart.ts'
import type { OpenRequests } from './open-requests.ts'
import { limitRate } from './rate-limit.ts'
import { refuse } from './refusal.ts'
import { bodyArrived, expectBody } from './slow-body.ts'
import { requestCheck } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** What a registration needs of the backend. */
export type Gate = Pick<Services, 'cache' | 'tokens' | 'endedSessions' | 'now'> & {
  readonly admission: Admission
  readonly openRequests: OpenRequests
}

export function register(app: FastifyInstance, gate: Gate, endpoint: Endpoint): void {
  const parts = multipartOf(endpoint.route)
  if (parts) {
    app.register(async (scope) => {
      await takeMultipart(scope, parts)
      serve(scope, gate, endpoint)
    })
  } else if (passesThrough(endpoint.route)) {
    app.register(async (scope) => {
      takeBytes(scope)
      serve(scope, gate, endpoint)
    })
  } else serve(app, gate, endpoint)
}

function serve(app: FastifyInstance, gate: Gate, { route, handle }: Endpoint): void {
  const check = requestCheck(route)
  const [multipart, through] = [multipartOf(route) !== undefined, passesThrough(route)]
  // An upload is as slow as its sender, a model as slow as it thinks: neither may hold a place that others wait for.
  const waits = multipart || through
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.body_limit ?? limits.body_bytes,
    config: { route },
    // Bytes leave as they are: their length, ranges and ETag are those of the file, and events leave when they come.
    ...(sendsBytes(route) ? { compress: false } : {}),
    // What is for browsers that show pages is left out of what is for programs that count milliseconds.
    ...(through ? { helmet: false, childLoggerFactory: lateLog } : {}),
    async onRequest(request, reply) {
      // The address is counted first, so that guessing tokens is limited too; reading the token meanwhile costs no time.
      const [caller] = await Promise.all([identify(gate, route, request), limitRate(gate.cache, route, { address: request.ip }, reply)])
      if (caller instanceof Error) throw caller
      if (route.body && !multipart) expectBody(request, reply)
      if (!caller) return
      const [ended] = await Promise.all([
        gate.endedSessions.has(caller.session_id),
        limitRate(gate.cache, route, { user: caller.user_id }, reply),
      ])
      if (ended) throw refuse('session_ended', 'this session was signed out')
      gate.openRequests.open(caller.user_id, reply)
      if (!waits) gate.admission.demandRoom(route, caller.user_id)
      request.caller = caller
    },
    preValidation(request, _reply, done) {
      bodyArrived(request)
      done()
    },
    async handler(request, reply) {
      const parts = check(request)
      const device = deviceOf(route, parts.body)
      if (device && request.caller) await limitRate(gate.cache, route, { device: `${request.caller.user_id}:${device}` }, reply)
      const call = { ...parts, caller: request.caller, request, reply }
      const answer = waits ? await handle(call) : await gate.admission.admit(route, request.caller?.user_id, () => handle(call))
      if (answer === 'sent') return reply
      if (answer.headers) reply.headers(answer.headers)
      return send(reply, route, answer.status, answer.body)
    },
  })
}

/** The caller; undefined where none is needed; the refusal as a value, for the address is to be counted all the same. */
async function identify(gate: Gate, route: Route, request: FastifyRequest): Promise<Caller | Error | undefined> {
  if (route.auth === 'none') return undefined
  const header = request.headers.authorization ?? keyHeader(route, request)
  if (header === undefined) return refuse('unauthorized', 'the request has no Authorization header')
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,8000})$/i.exec(header)?.[1]
  if (token === undefined) return refuse('invalid_token', 'the Authorization header is not a Bearer token')
  const result = await gate.tokens.check(token, gate.now())
  if (result.ok) return result.caller
  const retry = result.code === 'accounts_unavailable' ? { retry_after_seconds: 2 } : {}
  return refuse(result.code, tokenRefusals[result.code], retry)
}

const tokenRefusals = {
  token_expired: 'the access token has expired',
  invalid_token: 'the access token is not one of ours',
  accounts_unavailable: 'the keys that tokens are checked with can not be had',
}

/** Anthropic's clients send what they are given as a key in a header of their own. */
function keyHeader(route: Route, { headers }: FastifyRequest): string | undefined {
  const key = route.tag === 'llm' ? headers['x-api-key'] : undefined
  return key === undefined ? undefined : `Bearer ${key}`
}

/** JSON that is passed on, not read: it stays as it came. */
function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

function passesThrough(route: Route): boolean {
  return route.body !== undefined && isContent(route.body) && route.body.content === 'passthrough'
}

function deviceOf(route: Route, body: unknown): string | undefined {
  if (route.rate !== 'heartbeat' || typeof body !== 'object' || body === null || !('device_id' in body)) return undefined
  return String(body.device_id)
}

function sendsBytes(route: Route): boolean {
  return Object.values(route.replies).some((shape) => isContent(shape) && (shape.content === 'bytes' || shape.content === 'passthrough'))
}

function send(reply: FastifyReply, route: Route, status: number, body: unknown): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  const shape = route.replies[status]
  if (shape && isContent(shape)) return shape.content === 'text' ? reply.type(shape.media_type).send(body) : reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
