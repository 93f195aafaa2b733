// Node's server under Fastify: routes that are served directly are handled before Fastify's own handler. Requests that are not HTTP, too
// slow, or forbidden by HTTP itself are answered here.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ProblemCode, problems } from '@tandem/contract/problem'
import type { FastifyServerFactory } from 'fastify'
import type { Direct } from './direct/direct.ts'
import { refusalResponse } from './failure.ts'
import { type Refusal, refuse } from './refusal.ts'
import { requestId } from './transport.ts'

export interface ServerTimes {
  /** For a connection without any traffic. */
  readonly idle_ms: number
  /** For a connection between two requests. */
  readonly keep_alive_ms: number
}

export function serverFactory(
  options: ServerOptions,
  { idle_ms, keep_alive_ms }: ServerTimes,
  direct: Direct,
): FastifyServerFactory<Server> {
  return (handler) => {
    // Node itself would answer a missing Host header and an unknown expectation, without a body.
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

const known: Record<string, { readonly code: ProblemCode; readonly detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'the headers or the URL are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'the request did not arrive in time' },
}
const malformed = { code: 'invalid_request', detail: 'the request is not valid HTTP/1.1' } as const

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, detail } = known[error.code ?? ''] ?? malformed
  endWith(socket, refuse(code, detail))
}

/** CONNECT requests a tunnel, and there is no response to write to. */
function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  endWith(socket, refuse('method_not_allowed', 'CONNECT is not supported', { allowed: [] }))
}

/** Why HTTP itself forbids this request; undefined for all others. */
function hostFault({ httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): Refusal | undefined {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) if (isHost(rawHeaders[index])) hosts += 1
  if (hosts > 1) return refuse('invalid_request', 'the request has more than one Host header')
  return hosts === 0 && httpVersion === '1.1' ? refuse('invalid_request', 'the request has no Host header') : undefined
}

function isHost(name: string | undefined): boolean {
  return name?.length === 4 && name.toLowerCase() === 'host'
}

function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  answerEarly(refuse('expectation_failed', 'the only supported expectation is 100-continue'), request, response)
}

function answerEarly(refusal: Refusal, request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, text, id } = earlyAnswer(refusal, request)
  response.writeHead(status, { ...headers, 'x-request-id': id, 'content-length': Buffer.byteLength(text), connection: 'close' }).end(text)
}

function endWith(socket: Duplex, refusal: Refusal): void {
  const { headers, text, id } = earlyAnswer(refusal)
  const { status } = problems[refusal.code]
  const lines = { ...headers, 'x-request-id': id, 'content-length': Buffer.byteLength(text), connection: 'close' }
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`)]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

function earlyAnswer(refusal: Refusal, request?: IncomingMessage) {
  const id = request ? requestId(request) : randomUUID()
  return { ...refusalResponse(refusal, undefined, id), id }
}
