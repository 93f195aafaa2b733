// Where the browser returns to after a sign-in: an address on loopback, for one response.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CallbackResult = { readonly kind: 'code'; readonly code: string } | { readonly kind: 'refused'; readonly why: string }

export interface Callback {
  readonly redirect_uri: string
  /** Resolves with the response that has the right state. */
  readonly result: Promise<CallbackResult>
  /** The sign-in is over: the page that still returns gets this text, and nothing of its address is used. Then the address is closed. */
  dismiss(text: string): void
  close(): void
}

export interface CallbackOptions {
  /** 0 for any free port. */
  readonly port: number
  readonly state: string
  readonly issuer: string
  /** Whether the response must name the authorization server. If it does, it must be the right one in any case. */
  readonly sends_issuer: boolean
}

/** Null if the port is in use. */
export async function openCallback({ port, state, issuer, sends_issuer }: CallbackOptions): Promise<Callback | null> {
  let dismissal: string | null = null
  const { promise: result, resolve } = Promise.withResolvers<CallbackResult>()
  const server = createServer({ maxHeaderSize: 32_768, requestTimeout: 10_000 }, (request, response) => {
    const query = queryOf(request, redirect.host)
    if (query && dismissal !== null) {
      respond(response, 410, dismissal)
      return close()
    }
    // A page that guesses the address must not be able to end the sign-in.
    if (!query || !isEqual(query.get('state') ?? '', state)) return respond(response, 400, 'This address does not belong to a sign-in.')
    const read = readResponse(query, issuer, sends_issuer)
    respond(
      response,
      200,
      read.kind === 'code' ? 'You can close this tab and return to Tandem.' : 'The sign-in failed. Return to Tandem for details.',
    )
    resolve(read)
    close()
  })
  server.unref()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    // Another program uses the port: the caller reports it.
    return null
  }
  const redirect = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`)
  function close(): void {
    server.close()
    server.closeIdleConnections()
  }
  return {
    redirect_uri: redirect.href,
    result,
    dismiss(text) {
      dismissal = text
    },
    close,
  }
}

/** The query of a request to the address; null for any other request. */
function queryOf({ method, url = '', headers }: IncomingMessage, host: string): URLSearchParams | null {
  const parsed = URL.parse(url, `http://${host}`)
  return method === 'GET' && headers.host === host && parsed?.pathname === '/callback' ? parsed.searchParams : null
}

function readResponse(query: URLSearchParams, issuer: string, sends_issuer: boolean): CallbackResult {
  const iss = query.get('iss')
  if (iss === null ? sends_issuer : iss !== issuer) return { kind: 'refused', why: 'the response came from another authorization server' }
  const error = query.get('error')
  if (error !== null) return { kind: 'refused', why: /^[\w.-]{1,64}$/.test(error) ? error : 'the authorization server refused it' }
  const codes = query.getAll('code')
  const [code = ''] = codes
  if (codes.length !== 1 || !/^[\x20-\x7e]{1,4096}$/.test(code)) return { kind: 'refused', why: 'the response has no valid code' }
  return { kind: 'code', code }
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Nothing of the request is repeated, and the address with the code is not passed on. */
function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Tandem</title><p>${text}</p></html>`)
}
