// What is not HTTP, or not in time, is answered before there is a request to speak of.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ProblemCode, problemMediaType, problems } from '@tandem/contract/problem'
import { problemBody, refuse } from './refusal.ts'

const known: Record<string, { readonly code: ProblemCode; readonly detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'the headers or the address are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'the request did not arrive in time' },
}
const malformed = { code: 'invalid_request', detail: 'this is not a request of HTTP/1.1' } as const

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, detail } = known[error.code ?? ''] ?? malformed
  const { status } = problems[code]
  const body = JSON.stringify(problemBody(refuse(code, detail), randomUUID()))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${problemMediaType}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${[...head, 'connection: close', 'cache-control: no-store'].join('\r\n')}\r\n\r\n${body}`)
}
