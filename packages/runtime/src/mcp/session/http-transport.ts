// A remote server: the SDK's Streamable HTTP transport, on our own scoped network instead of fetch.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { StreamingNetwork } from '../../call/network.ts'
import { mcpLimits } from '../limits.ts'
import type { Sdk } from './sdk.ts'

export interface HttpOptions {
  readonly sdk: Sdk
  readonly network: StreamingNetwork
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

export interface HttpTransport extends Transport {
  /** Notifies the server that the session has ended, if it responds. */
  terminateSession(): Promise<void>
}

export function httpTransport(options: HttpOptions): HttpTransport {
  const url = new URL(options.url)
  for (const [name, value] of Object.entries(options.query)) url.searchParams.set(name, value)
  return new options.sdk.StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...options.headers } },
    fetch: (address, init) => streamed(options.network, String(address), init),
  })
}

async function streamed(network: StreamingNetwork, url: string, init: RequestInit = {}): Promise<Response> {
  const signal = init.signal ?? new AbortController().signal
  const answer = await network.stream(
    {
      url,
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
    },
    signal,
  )
  if (answer.status === 401 && wantsSignIn(answer.headers)) {
    // An unread body would keep its connection until the session ends.
    await answer.body?.cancel()
    throw new SignInRequired()
  }
  const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304
  const body = bodiless || !answer.body ? null : answer.body.pipeThrough(messagesUpTo(mcpLimits.message_bytes))
  return new Response(body, { status: answer.status, headers: { ...answer.headers } })
}

/** A server that refers to its metadata requires OAuth: that is how a client would start it. */
function wantsSignIn(headers: Readonly<Record<string, string>>): boolean {
  return /\bresource_metadata\s*=/i.test(new Headers(headers).get('www-authenticate') ?? '')
}

/** Ends a stream in which one message, between two empty lines, exceeds the limit. A JSON body is one message. */
export function messagesUpTo(cap: number): TransformStream<Uint8Array, Uint8Array> {
  const newline = 10
  const carriage = 13
  let bytes = 0
  let lineIsEmpty = true
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes += 1
        if (byte === newline) {
          if (lineIsEmpty) bytes = 0
          lineIsEmpty = true
        } else if (byte !== carriage) lineIsEmpty = false
        if (bytes > cap) return controller.error(new MessageTooLarge(cap))
      }
      controller.enqueue(chunk)
    },
  })
}

export class SignInRequired extends Error {
  constructor() {
    super('the server requires an OAuth sign-in')
    this.name = 'SignInWanted'
  }
}

export class MessageTooLarge extends Error {
  constructor(cap: number) {
    super(`a message was longer than ${cap} bytes`)
    this.name = 'MessageTooLarge'
  }
}
