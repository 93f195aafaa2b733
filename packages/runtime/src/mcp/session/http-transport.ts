// A remote server: the SDK's transports on our own scoped network instead of fetch, with the token of a sign-in.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { StreamingNetwork } from '../../call/network.ts'
import { type McpFailure, type McpOutcome, mcpFailure } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import type { Authorizer } from '../ports.ts'
import { readChallenge } from '../sign-in/challenge.ts'
import { withLegacyTransport } from './legacy-transport.ts'
import type { Sdk } from './sdk.ts'

export interface HttpOptions {
  readonly sdk: Sdk
  readonly server_id: string
  readonly network: StreamingNetwork
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Null if the definition has its own `Authorization` header. */
  readonly authorizer: Authorizer | null
  /** A token that is used from now on, to be redacted in the log. */
  onToken(token: string): void
}

export interface HttpTransport extends Transport {
  /** Notifies the server that the session has ended, if it responds. */
  terminateSession(): Promise<void>
}

export function httpTransport(options: HttpOptions): HttpTransport {
  const { sdk } = options
  const url = new URL(options.url)
  for (const [name, value] of Object.entries(options.query)) url.searchParams.set(name, value)
  const requestInit = { headers: { ...options.headers } }
  const fetch = (address: string | URL, init?: RequestInit) => authorized(options, String(address), init)
  return withLegacyTransport(sdk, new sdk.StreamableHTTPClientTransport(url, { requestInit, fetch }), () => {
    let cause: RequestRefused | null = null
    // The event source replaces errors of requests by its own.
    const noted = (address: string | URL, init?: RequestInit) =>
      fetch(address, init).catch((error: unknown) => {
        if (error instanceof RequestRefused) cause = error
        throw error
      })
    return { transport: new sdk.SSEClientTransport(url, { requestInit, fetch: noted }), cause: () => cause }
  })
}

/** A request with the token of the sign-in. If the server refuses the token, it is replaced once. */
async function authorized(options: HttpOptions, url: string, init: RequestInit = {}): Promise<Response> {
  const { authorizer, network, server_id } = options
  if (!authorizer) return streamed(network, url, init, null)
  const token = unwrapped(await authorizer.token())
  const first = await send(token)
  if (first.status !== 401 || token === null) return first
  // An unread body would keep its connection until the session ends.
  await first.body?.cancel()
  const next = unwrapped(await authorizer.replace(token))
  const second = await send(next)
  if (second.status !== 401) return second
  await second.body?.cancel()
  throw new RequestRefused(mcpFailure('sign_in_expired', server_id, `${server_id} does not accept the sign-in any more`))

  async function send(bearer: string | null): Promise<Response> {
    if (bearer !== null) options.onToken(bearer)
    const answer = await streamed(network, url, init, bearer)
    const challenge =
      answer.status === 401 || answer.status === 403 ? readChallenge(answer.headers.get('www-authenticate') ?? undefined) : null
    const wantsMore = answer.status === 403 && challenge?.error === 'insufficient_scope'
    if (!wantsMore && (challenge === null || bearer !== null || answer.status === 403)) return answer
    await answer.body?.cancel()
    if (wantsMore) authorizer?.require(challenge?.scope ?? null)
    throw new RequestRefused(
      mcpFailure('needs_sign_in', server_id, wantsMore ? `${server_id} requires more rights for this` : `${server_id} requires a sign-in`),
    )
  }
}

function unwrapped<Value>(outcome: McpOutcome<Value>): Value {
  if (!outcome.ok) throw new RequestRefused(outcome.failure)
  return outcome.value
}

async function streamed(network: StreamingNetwork, url: string, init: RequestInit, bearer: string | null): Promise<Response> {
  const signal = init.signal ?? new AbortController().signal
  const answer = await network.stream(
    {
      url,
      method: init.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) },
      body: typeof init.body === 'string' ? init.body : null,
    },
    signal,
  )
  const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304
  const body = bodiless || !answer.body ? null : answer.body.pipeThrough(messagesUpTo(mcpLimits.message_bytes))
  return new Response(body, { status: answer.status, headers: { ...answer.headers } })
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

/** The request was not processed, for a known reason. */
export class RequestRefused extends Error {
  readonly failure: McpFailure
  constructor(failure: McpFailure) {
    super(failure.message)
    this.name = 'RequestRefused'
    this.failure = failure
  }
}

export class MessageTooLarge extends Error {
  constructor(cap: number) {
    super(`a message was longer than ${cap} bytes`)
    this.name = 'MessageTooLarge'
  }
}
