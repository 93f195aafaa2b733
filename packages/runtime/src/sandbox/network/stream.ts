// One request with a streamed response: checked and pinned like every other, open as long as its reader wants. Redirects are returned.

import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { NetworkFailure } from '../../call/failure.ts'
import type { StreamRequest, StreamResponse } from '../../call/network.ts'
import type { ConnectionPolicy } from './connection-policy.ts'
import { headersOf, openRequest, responseTo } from './exchange.ts'
import { parseUrl, portOf, unlessAborted } from './follow-redirects.ts'
import { connectionFailure } from './network-failure.ts'

export async function openStream(
  gate: ConnectionPolicy,
  request: StreamRequest,
  signal: AbortSignal,
  ca?: string,
): Promise<StreamResponse> {
  signal.throwIfAborted()
  const url = parseUrl(request.url)
  const admitted = await unlessAborted(gate.admit(url.hostname, portOf(url)), signal)
  const { body, ...rest } = request
  // Compression can delay a message that was already sent.
  const headers = { ...request.headers, 'accept-encoding': 'identity' }
  const sent = openRequest(url, admitted, { ...rest, headers, ...(body === null ? {} : { body }), max_bytes: 0, redirects: 0 }, signal, ca)
  try {
    const incoming = await responseTo(sent, body ?? undefined)
    const status = incoming.statusCode ?? 0
    const coding = incoming.headers['content-encoding'] ?? 'identity'
    if (coding !== 'identity') throw packed(url.host, coding)
    if (bodiless.includes(status)) {
      sent.destroy()
      return { status, headers: headersOf(incoming), body: null }
    }
    return { status, headers: headersOf(incoming), body: Readable.toWeb(incoming) as ReadableStream<Uint8Array> as StreamResponse['body'] }
  } catch (error) {
    sent.destroy()
    signal.throwIfAborted()
    throw error instanceof NetworkFailure ? error : connectionFailure(error, url.host)
  }
}

const bodiless: readonly number[] = [204, 205, 304]

function packed(subject: string, coding: string): NetworkFailure {
  return new NetworkFailure(
    'body_undecodable',
    `${subject} sent a response compressed with ${coding.slice(0, 100)}, which was not requested`,
    {
      subject,
      recoverability: 'terminal',
    },
  )
}
