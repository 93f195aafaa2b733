// A request and its answer on Node's own server, for what is served before Fastify.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Arrival } from './gate.ts'
import type { LimitsTold } from './rate-limit.ts'

interface Given {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly log: FastifyBaseLogger
}

export class Exchange implements Arrival {
  readonly request: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly log: FastifyBaseLogger
  /** The headers of the answer: they leave when it begins. */
  readonly head = new Head()
  /** By `performance.now()`. */
  readonly started = performance.now()
  user_id: string | undefined

  constructor({ request, response, id, address, log }: Given) {
    this.request = request
    this.headers = request.headers
    this.response = response
    this.id = id
    this.address = address
    this.log = log
  }

  /** A whole answer. Nothing where it has begun already, or nobody is left to hear it. */
  send(status: number, headers: OutgoingHttpHeaders, text: string): void {
    const { response } = this
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    this.head.headers({ ...headers, 'content-length': Buffer.byteLength(text) })
    response.writeHead(status, this.head.values).end(text)
  }
}

class Head implements LimitsTold {
  readonly values: OutgoingHttpHeaders = {}

  getHeader(name: string): unknown {
    return this.values[name]
  }

  headers(more: OutgoingHttpHeaders): void {
    Object.assign(this.values, more)
  }
}
