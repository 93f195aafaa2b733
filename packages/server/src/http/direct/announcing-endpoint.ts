// An endpoint with a small JSON body that announces something in the cache. If its body arrived with its head, the checks of every request
// and the announcement are one round trip to the cache; otherwise they are two, as the body is read after the checks.
import { setImmediate as afterReading } from 'node:timers/promises'
import type { Route, RouteBody } from '@tandem/contract/http'
import { limits } from '@tandem/contract/limits'
import type { Announced, Announcement } from '../../cache/cache.ts'
import type { Caller } from '../../token/tokens.ts'
import { type Authenticator, authenticateAndAnnounce } from '../admission/gate.ts'
import type { RateLimitHeaders } from '../admission/rate-limit.ts'
import { arrivedBody, requireJson } from '../body/body.ts'
import { readJsonBody } from '../body/json-body.ts'
import { requestCheck } from '../validation/validate.ts'
import { takeBody } from './bytes-endpoint.ts'
import type { DirectEndpoint } from './direct.ts'
import { type Exchange, queryOf } from './exchange.ts'

export interface Announcing<R extends Route> {
  announcement(caller: Caller, body: RouteBody<R>, time: number): Announcement
  /** Returns the body of the response. `announced` is undefined if the announcement is still to be made. */
  handle(call: AnnouncingCall<R>): Promise<object>
}

export interface AnnouncingCall<R extends Route> {
  readonly caller: Caller
  readonly body: RouteBody<R>
  readonly announced: { readonly time: number; readonly result: Announced } | undefined
  readonly told: RateLimitHeaders
}

type Early<R extends Route> = { readonly body: RouteBody<R> } | { readonly fault: unknown }

export function announcingEndpoint<R extends Route>(route: R, { announcement, handle }: Announcing<R>): DirectEndpoint {
  const check = requestCheck(route)
  const bodyLimit = route.body_limit ?? limits.body_bytes

  function parse({ request }: Exchange, bytes: Buffer): RouteBody<R> {
    const body = readJsonBody(bytes, request.headers['content-type'], route.id)
    return check({ params: {}, query: queryOf(request), headers: request.headers, body }).body as RouteBody<R>
  }

  /** A fault is kept: the request is refused for it only after the checks that come before the body. */
  function readEarly(exchange: Exchange): Early<R> | undefined {
    const bytes = arrivedBody(exchange.request, bodyLimit)
    if (!bytes) return undefined
    try {
      requireJson(exchange.request)
      return { body: parse(exchange, bytes) }
    } catch (fault) {
      return { fault }
    }
  }

  async function readLate(exchange: Exchange): Promise<RouteBody<R>> {
    requireJson(exchange.request)
    return parse(exchange, await takeBody(exchange, route))
  }

  async function serve(exchange: Exchange, gate: Authenticator): Promise<void> {
    // Then what came together with the head has been read. Not more is waited for: the checks come before the body.
    if (!exchange.request.complete) await afterReading()
    const time = gate.now()
    let early: Early<R> | undefined
    const { caller, announced } = await authenticateAndAnnounce(gate, route, exchange, exchange.head, (known) => {
      early = readEarly(exchange)
      return early && 'body' in early ? announcement(known, early.body, time) : undefined
    })
    if (!caller) throw new Error('an announcement without a caller')
    exchange.user_id = caller.user_id
    const call = { caller, told: exchange.head }
    if (announced && early && 'body' in early) {
      try {
        return respond(exchange, await handle({ ...call, body: early.body, announced: { time, result: announced.result } }))
      } finally {
        announced.leave()
      }
    }
    gate.admission.demandRoom(route, caller.user_id)
    if (early && 'fault' in early) throw early.fault
    const body = early ? early.body : await readLate(exchange)
    respond(exchange, await gate.admission.admit(route, caller.user_id, () => handle({ ...call, body, announced: undefined })))
  }

  return { route, serve }
}

function respond(exchange: Exchange, body: object): void {
  exchange.send(200, { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(body))
}
