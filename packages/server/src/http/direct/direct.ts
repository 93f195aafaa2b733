// The most frequent requests are served on Node's own server, before Fastify: a model call should cost little but its bytes, a heartbeat
// little but its round trip to the cache.
// The rules and their order are those of every route: shutdown, authentication, validation, body; so is the format of refusals.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '@tandem/contract/http'
import type { FastifyBaseLogger } from 'fastify'
import { clientAddress, type ProxyTrust } from '../admission/address.ts'
import type { Authenticator } from '../admission/gate.ts'
import { type Failures, refusalResponse } from '../failure.ts'
import type { RequestMetrics } from '../request-metrics.ts'
import { drainBody, requestId, type ShutdownState } from '../transport.ts'
import { Exchange } from './exchange.ts'
import { lazyLogger } from './lazy-logger.ts'

export interface DirectEndpoint {
  readonly route: Route
  /** Authenticates, validates and responds. Throws a refusal, which is sent in the dialect of the route. */
  serve(exchange: Exchange, gate: Authenticator): Promise<void>
}

export interface DirectServices {
  readonly gate: Authenticator
  readonly door: ShutdownState
  readonly failures: Failures
  readonly meters: RequestMetrics
  readonly log: FastifyBaseLogger
  readonly trust: ProxyTrust
  readonly cors: (origin: string | undefined) => Readonly<Record<string, string>>
}

/** The common status for logs: the caller closed the request before it was answered. */
const closedRequest = 499

/** Returns whether it handles the request; the response follows later. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean

export function serveDirectly(endpoints: readonly DirectEndpoint[], ground: DirectServices): Direct {
  const served = new Map(endpoints.flatMap((endpoint) => addressesOf(endpoint).map((path) => [path, serving(endpoint, ground)])))
  return (request, response) => {
    const { url = '', method } = request
    const query = url.indexOf('?')
    const serve = served.get(`${method} ${query < 0 ? url : url.slice(0, query)}`)
    if (!serve) return false
    void serve(request, response)
    return true
  }
}

/** With and without a trailing slash, as for every route. */
function addressesOf({ route: { method, path } }: DirectEndpoint): string[] {
  if (/[:*]/.test(path)) throw new Error(`${path} has parts that only Fastify reads`)
  return [`${method} ${path}`, `${method} ${path}/`]
}

function serving({ route, serve }: DirectEndpoint, ground: DirectServices) {
  const { gate, door, failures, meters, log, trust, cors } = ground

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = requestId(request)
    const own = lazyLogger(log, { request_id: id }, {})
    const exchange = new Exchange({ request, response, id, address: clientAddress(request, trust), log: own, door })
    const { head } = exchange
    head.headers({ 'x-request-id': id, ...cors(request.headers.origin) })
    response.on('close', () => {
      const { started, user_id } = exchange
      const status = response.headersSent ? response.statusCode : closedRequest
      meters.answered({ route, method: route.method, status, ms: performance.now() - started, user_id }, own)
      drainBody(request)
    })
    try {
      const refusal = door.refusal(request)
      if (refusal) throw await refusal
      await serve(exchange, gate)
    } catch (error) {
      const { status, headers, text } = refusalResponse(failures(error, own), route.dialect, id)
      exchange.send(status, headers, text)
    }
  }
}
