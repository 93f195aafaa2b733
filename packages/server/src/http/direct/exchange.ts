// A request and its answer on Node's own server, for what is served before Fastify.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Arrival } from '../gate/gate.ts'
import type { LimitsTold } from '../gate/rate-limit.ts'
import type { Door } from '../transport.ts'

interface Given {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly log: FastifyBaseLogger
  readonly door: Pick<Door, 'closing'>
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
  readonly #door: Pick<Door, 'closing'>

  constructor({ request, response, id, address, log, door }: Given) {
    this.request = request
    this.headers = request.headers
    this.response = response
    this.id = id
    this.address = address
    this.log = log
    this.#door = door
  }

  /** Lets the head leave. */
  begin(status: number): void {
    // Whoever came before the end and is answered after it is not to wait with the next one on this connection.
    if (this.#door.closing) this.head.headers({ connection: 'close' })
    this.response.writeHead(status, this.head.values)
  }

  /** A whole answer. Nothing where it has begun already, or nobody is left to hear it. */
  send(status: number, headers: OutgoingHttpHeaders, text: string): void {
    const { response } = this
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    this.head.headers({ ...headers, 'content-length': Buffer.byteLength(text) })
    this.begin(status)
    response.end(text)
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
