// A route of the contract and the one function that answers it.
import type { Route, RouteBody, RouteHeaders, RouteParams, RouteQuery, RouteReply, SuccessOf } from '@tandem/contract/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../token/tokens.ts'

/** A request whose every part has been checked. */
export interface Call<R extends Route> {
  readonly params: RouteParams<R>
  readonly query: RouteQuery<R>
  readonly headers: RouteHeaders<R>
  readonly body: RouteBody<R>
  /** Present on every route that needs sign-in. */
  readonly caller: R['auth'] extends 'user' ? Caller : Caller | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** `sent` when the handler wrote the reply itself: a stream, stored text. */
export type Answer<R extends Route> =
  | {
      [Status in SuccessOf<R>]: { readonly status: Status; readonly body: RouteReply<R, Status>; readonly headers?: Record<string, string> }
    }[SuccessOf<R>]
  | 'sent'

/** A call and an answer whose exact types only the handler knows. */
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

export function endpoint<R extends Route>(route: R, handle: (call: Call<R>) => Promise<Answer<R>>): Endpoint {
  return { route, handle: (call) => handle(call as Call<R>) }
}
