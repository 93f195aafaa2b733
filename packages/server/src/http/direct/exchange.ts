// A request and its response on Node's own server, for what is served before Fastify.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { IncomingHead } from '../admission/gate.ts'
import type { RateLimitHeaders } from '../admission/rate-limit.ts'
import type { ShutdownState } from '../transport.ts'

interface Given {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly log: FastifyBaseLogger
  readonly door: Pick<ShutdownState, 'closing'>
}

export class Exchange implements IncomingHead {
  readonly request: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly id: string
  readonly address: string
  readonly log: FastifyBaseLogger
  /** The headers of the response, sent when it starts. */
  readonly head = new Head()
  /** By `performance.now()`. */
  readonly started = performance.now()
  user_id: string | undefined
  readonly #door: Pick<ShutdownState, 'closing'>

  constructor({ request, response, id, address, log, door }: Given) {
    this.request = request
    this.headers = request.headers
    this.response = response
    this.id = id
    this.address = address
    this.log = log
    this.#door = door
  }

  /** Sends the head. */
  begin(status: number): void {
    // A request that started before the stop and is answered after it: its connection must not be reused.
    if (this.#door.closing) this.head.headers({ connection: 'close' })
    this.response.writeHead(status, this.head.values)
  }

  /** A whole response. Does nothing if it has already started, or the caller is gone. */
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

class Head implements RateLimitHeaders {
  readonly values: OutgoingHttpHeaders = {}

  getHeader(name: string): unknown {
    return this.values[name]
  }

  headers(more: OutgoingHttpHeaders): void {
    Object.assign(this.values, more)
  }
}

export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): object {
  const at = url.indexOf('?')
  return at < 0 ? noQuery : Object.fromEntries(new URLSearchParams(url.slice(at)))
}

const noQuery = {}
