// A route of the contract and the function that handles it; and the executor of every route that is not served directly:
// authentication, rate limits, validation, then the handler, then the response.
import {
  isContent,
  type Route,
  type RouteBody,
  type RouteHeaders,
  type RouteParams,
  type RouteQuery,
  type RouteReply,
  type SuccessOf,
} from '@tandem/contract/http'
import { limits } from '@tandem/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../token/tokens.ts'
import { type Authenticator, authenticate } from './admission/gate.ts'
import { startBodyTimer, stopBodyTimer } from './body/json-body.ts'
import { multipartOf, registerMultipartParser } from './body/multipart.ts'
import { requestCheck } from './validation/validate.ts'

/** A request that was validated completely. */
export interface CheckedRequest<R extends Route> {
  readonly params: RouteParams<R>
  readonly query: RouteQuery<R>
  readonly headers: RouteHeaders<R>
  readonly body: RouteBody<R>
  /** Present on every route that requires authentication. */
  readonly caller: R['auth'] extends 'user' ? Caller : Caller | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** `sent` if the handler wrote the response itself: a stream, stored text. */
export type HandlerResult<R extends Route> =
  | {
      [Status in SuccessOf<R>]: { readonly status: Status; readonly body: RouteReply<R, Status>; readonly headers?: Record<string, string> }
    }[SuccessOf<R>]
  | 'sent'

/** A call and a response whose exact types only the handler knows. */
interface AnyCall {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
  readonly caller: Caller | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type AnyAnswer = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> } | 'sent'

export interface Endpoint {
  readonly route: Route
  handle(call: AnyCall): Promise<AnyAnswer>
}

export function endpoint<R extends Route>(route: R, handle: (call: CheckedRequest<R>) => Promise<HandlerResult<R>>): Endpoint {
  return { route, handle: (call) => handle(call as CheckedRequest<R>) }
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

export function register(app: FastifyInstance, gate: Authenticator, endpoint: Endpoint): void {
  const parts = multipartOf(endpoint.route)
  if (parts) {
    app.register(async (scope) => {
      await registerMultipartParser(scope, parts)
      serve(scope, gate, endpoint)
    })
  } else serve(app, gate, endpoint)
}

function serve(app: FastifyInstance, gate: Authenticator, { route, handle }: Endpoint): void {
  const check = requestCheck(route)
  // An upload is as slow as its sender: it must not hold a slot that others wait for.
  const waits = multipartOf(route) !== undefined
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.body_limit ?? limits.body_bytes,
    config: { route },
    // Bytes are sent unchanged: their length, ranges and ETag are those of the file, and events are sent immediately.
    ...(sendsBytes(route) ? { compress: false } : {}),
    async onRequest(request, reply) {
      const arrival = { headers: request.headers, address: request.ip, response: reply.raw }
      const caller = await authenticate(gate, route, arrival, reply)
      if (route.body && !waits) startBodyTimer(request, reply)
      if (!caller) return
      if (!waits) gate.admission.demandRoom(route, caller.user_id)
      request.caller = caller
    },
    preValidation(request, _reply, done) {
      stopBodyTimer(request)
      done()
    },
    async handler(request, reply) {
      const parts = check(request)
      const call = { ...parts, caller: request.caller, request, reply }
      const answer = waits ? await handle(call) : await gate.admission.admit(route, request.caller?.user_id, () => handle(call))
      if (answer === 'sent') return reply
      if (answer.headers) reply.headers(answer.headers)
      return send(reply, route, answer.status, answer.body)
    },
  })
}

function sendsBytes(route: Route): boolean {
  return Object.values(route.replies).some((shape) => isContent(shape) && shape.content === 'bytes')
}

function send(reply: FastifyReply, route: Route, status: number, body: unknown): FastifyReply {
  reply.code(status).header('cache-control', 'no-store')
  const shape = route.replies[status]
  if (shape && isContent(shape)) return shape.content === 'text' ? reply.type(shape.media_type).send(body) : reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
