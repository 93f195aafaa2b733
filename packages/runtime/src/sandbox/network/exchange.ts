// One request and its response, over a new connection to a checked address. Ignores proxies of the environment, stores no cookies, sends no
// Referer.

import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { NetworkFailure } from '../../call/failure.ts'
import type { NetworkRequest, NetworkResponse } from '../../call/network.ts'
import { acceptedCodings, readBody } from './body.ts'
import type { CheckedHost } from './connection-policy.ts'
import { connectionFailure } from './network-failure.ts'
import { pinnedLookup } from './pinned-lookup.ts'

const largestHeaders = 64 * 1024

type HttpAnswer = Omit<NetworkResponse, 'url' | 'redirected_from'>

export async function sendRequest(
  url: URL,
  to: CheckedHost,
  request: NetworkRequest,
  signal: AbortSignal,
  ca?: string,
): Promise<HttpAnswer> {
  const sent = openRequest(url, to, request, signal, ca)
  try {
    const incoming = await responseTo(sent, request.body)
    const { body, truncated } = await readBody(incoming, request.max_bytes)
    return { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body, truncated }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof NetworkFailure ? error : connectionFailure(error, url.host)
  } finally {
    sent.destroy()
  }
}

export function openRequest(url: URL, to: CheckedHost, request: NetworkRequest, signal: AbortSignal, ca?: string): ClientRequest {
  const options: RequestOptions = {
    method: request.method,
    host: to.host,
    port: to.port,
    path: `${url.pathname}${url.search}`,
    headers: outgoing(url, request),
    lookup: pinnedLookup(to.addresses),
    maxHeaderSize: largestHeaders,
    setDefaultHeaders: true,
    signal,
  }
  try {
    if (url.protocol === 'http:') return httpRequest({ ...options, agent: new HttpAgent({ keepAlive: false }) })
    const trust = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
    return httpsRequest({ ...options, agent: new HttpsAgent({ keepAlive: false, ...trust }) })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new NetworkFailure('request_invalid', why, { subject: url.host, remedy: 'Correct the method or the header.', cause: error })
  }
}

/** Headers that determine where a message ends or how it is forwarded: a caller that sets them could bypass the checks. */
const ours = /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*|http2-settings)$/i

function outgoing(url: URL, request: NetworkRequest): Record<string, string> {
  const headers: Record<string, string> = { host: url.host, accept: '*/*', 'user-agent': 'Tandem', 'accept-encoding': acceptedCodings }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (ours.test(name)) {
      throw new NetworkFailure('header_forbidden', `the header ${name} is set by Tandem itself`, {
        subject: name,
        remedy: `Leave out the header ${name}.`,
        recoverability: 'user_action',
      })
    }
    headers[name.toLowerCase()] = value
  }
  if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body))
  else if (!['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method)) headers['content-length'] = '0'
  return headers
}

export function responseTo(sent: ClientRequest, body: string | Uint8Array | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(Object.assign(new Error('unexpected protocol switch'), { code: 'HPE_UNASKED_UPGRADE' }))
    })
    sent.end(body)
  })
}

export function headersOf(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(name === 'set-cookie' ? '\n' : ', ')]),
  )
}
