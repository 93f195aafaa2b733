// A request and the redirects after it: each hop is checked like the first.

import { NetworkFailure, Refused } from '../../call/failure.ts'
import type { NetworkRequest, NetworkResponse } from '../../call/network.ts'
import type { ConnectionPolicy } from './connection-policy.ts'
import { sendRequest } from './exchange.ts'
import { changesHost, redirectedRequest, redirectTarget } from './redirect.ts'

export async function fetchWithRedirects(
  gate: ConnectionPolicy,
  request: NetworkRequest,
  signal: AbortSignal,
  ca?: string,
): Promise<NetworkResponse> {
  const visited: string[] = []
  let next = { ...request, method: request.method.toUpperCase() }
  while (true) {
    signal.throwIfAborted()
    const url = parseUrl(next.url)
    const admitted = await unlessAborted(gate.admit(url.hostname, portOf(url)), signal)
    const answer = await sendRequest(url, admitted, next, signal, ca)
    const target = redirectTarget(answer.status, answer.headers.location, url.href)
    if (target === null || request.redirects === 0) return { url: url.href, ...answer, redirected_from: visited }
    if (changesHost({ ...next, url: url.href }, target)) {
      return { url: url.href, ...answer, redirected_from: visited, redirect_stopped: target }
    }
    visited.push(url.href)
    if (visited.length > request.redirects) {
      throw new NetworkFailure('too_many_redirects', `${request.url} redirects more than ${request.redirects} times`, {
        subject: target,
        remedy: 'Request the last URL directly.',
        recoverability: 'terminal',
      })
    }
    parseUrl(target)
    next = redirectedRequest({ ...next, url: url.href }, answer.status, target)
  }
}

/** http and https only, without a user name or password in the URL. */
export function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url)
    throw new NetworkFailure('url_invalid', `${text.slice(0, 200)} is not a URL`, {
      subject: text.slice(0, 200),
      remedy: 'Give a complete URL, such as https://example.org/.',
    })
  const refuse = (code: string, says: string, remedy: string) =>
    new Refused(code, `${url.protocol}//${url.host} ${says}`, {
      subject: url.host || url.protocol,
      remedy,
      blocked_by: 'sandbox',
      attempted: 'network',
    })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse('scheme_forbidden', 'is neither http nor https', 'Use an http or https URL.')
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('userinfo_forbidden', 'contains a user name or password', 'Send credentials in a header, with http.request.')
  }
  url.hash = ''
  return url
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
}

/** A lookup cannot be canceled, but waiting for it can. */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
