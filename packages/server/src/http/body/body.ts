// The body of a request as raw bytes, read on Node's own server: JSON that is forwarded without parsing.
import type { IncomingMessage } from 'node:http'
import { bodyTooLarge, refuse } from '../refusal.ts'
import { bodyTimeout, bodyTimeoutRefusal } from './json-body.ts'

/** A missing body is empty. Rejects with a refusal. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'])
  return new Promise((resolve, reject) => {
    if (length > limit) return reject(bodyTooLarge(limit))
    // `close` was already emitted: no further event would follow.
    if (request.destroyed) return reject(brokenOff())
    const arrived = arrivedBody(request, limit)
    if (arrived) return resolve(arrived)
    if (request.complete) return reject(bodyTooLarge(limit))
    const pieces: Buffer[] = []
    let size = 0
    const late = setTimeout(() => end(bodyTimeoutRefusal(bodyTimeout)), bodyTimeout)
    function take(piece: Buffer): void {
      size += piece.length
      pieces.push(piece)
      if (size > limit) end(bodyTooLarge(limit))
    }
    function end(fault?: Error): void {
      clearTimeout(late)
      request.off('data', take).off('end', end).off('close', broken)
      if (fault) reject(fault)
      else resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size))
    }
    const broken = () => end(brokenOff())
    // An error is followed by `close`.
    request
      .on('data', take)
      .on('end', end)
      .on('close', broken)
      .on('error', () => undefined)
  })
}

/** A short body arrives together with its head: it is read without waiting for events. Undefined if it has not arrived, or is too large. */
export function arrivedBody(request: IncomingMessage, limit: number): Buffer | undefined {
  if (!request.complete || request.destroyed || request.readableLength > limit) return undefined
  return request.read() ?? nothing
}

const nothing = Buffer.alloc(0)

/** Refuses a body with a type other than JSON; a missing body needs no type. */
export function requireJson({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const type = headers['content-type']
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (type === undefined ? empty : /^application\/json *(?:;|$)/i.test(type)) return
  throw refuse(
    'unsupported_media_type',
    `the body must be application/json, not ${type === undefined ? 'without a content type' : type.slice(0, 100)}`,
  )
}

function brokenOff(): Error {
  return refuse('invalid_request', 'the body ended before it was complete')
}
