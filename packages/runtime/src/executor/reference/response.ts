// How an executor writes responses.
import type { ServerResponse } from 'node:http'

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: it matches no schema.
    return undefined
  }
}

/** A refusal has no body: it explains nothing to those who should not be here. */
export function send(response: ServerResponse, status: number, body?: object): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(text),
    ...responseHeaders,
  })
  response.end(text)
}

export const responseHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', connection: 'close' } as const
