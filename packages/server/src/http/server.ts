// Node's server under Fastify: what is served directly is taken before Fastify's own handler sees it.
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { FastifyServerFactory } from 'fastify'
import { answerConnect, answerEarly, answerExpectation, hostFault } from './broken-request.ts'
import type { Direct } from './direct.ts'

export interface ServerTimes {
  /** Of a connection on which nothing moves. */
  readonly idle_ms: number
  /** Of a connection between two requests. */
  readonly keep_alive_ms: number
}

export function serverFactory(
  options: ServerOptions,
  { idle_ms, keep_alive_ms }: ServerTimes,
  direct: Direct,
): FastifyServerFactory<Server> {
  return (handler) => {
    // Node would answer a missing Host header and an expectation it does not know by itself, without a body.
    const server = createServer({ ...options, requireHostHeader: false }, (request, response) => {
      const fault = hostFault(request)
      if (fault) answerEarly(fault, request, response)
      else if (!direct(request, response)) handler(request, response)
    })
    server.on('checkExpectation', answerExpectation).on('connect', answerConnect)
    server.keepAliveTimeout = keep_alive_ms
    server.setTimeout(idle_ms)
    return server
  }
}
