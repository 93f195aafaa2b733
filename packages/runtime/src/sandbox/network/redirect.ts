// What a redirected request contains. Pure.

import { Refused } from '../../call/failure.ts'
import type { NetworkRequest } from '../../call/network.ts'

const redirecting: readonly number[] = [301, 302, 303, 307, 308]

/** The only headers that are sent to another origin. Any other header may be a secret for the first one. */
const harmless: readonly string[] = ['accept', 'accept-language', 'content-type', 'range', 'user-agent']
/** Headers that describe the body; removed with it. */
const aboutTheBody: readonly string[] = ['content-type', 'content-encoding', 'content-language', 'content-location']

export function redirectTarget(status: number, location: string | undefined, from: string): string | null {
  if (!redirecting.includes(status) || location === undefined) return null
  return URL.parse(location, from)?.href ?? null
}

/** A request that sends something is meant for one host: a redirect to another host is reported, not followed. */
export function changesHost(request: NetworkRequest, target: string): boolean {
  const sends = request.body !== undefined || !['GET', 'HEAD'].includes(request.method)
  return sends && new URL(request.url).host !== new URL(target).host
}

export function redirectedRequest(request: NetworkRequest, status: number, target: string): NetworkRequest {
  const from = new URL(request.url)
  const to = new URL(target)
  const body = keepsBody(status, request.method) ? request.body : undefined
  const method = keepsBody(status, request.method) ? request.method : afterSeeOther(request.method)
  const sent = Object.entries(request.headers ?? {}).filter(([name]) => body !== undefined || !aboutTheBody.includes(name.toLowerCase()))
  const kept = from.origin === to.origin ? sent : sent.filter(([name]) => harmless.includes(name.toLowerCase()))
  if (from.protocol === 'https:' && to.protocol === 'http:' && (kept.length < sent.length || body !== undefined)) {
    throw new Refused(
      'redirect_downgrade',
      `${from.host} redirects the request to ${to.origin}, where credentials and contents would be sent unencrypted`,
      {
        subject: to.host,
        remedy: 'Request the https URL directly, or send no credentials and no body.',
        blocked_by: 'sandbox',
        attempted: 'network',
      },
    )
  }
  return {
    url: to.href,
    method,
    headers: Object.fromEntries(kept),
    ...(body === undefined ? {} : { body }),
    max_bytes: request.max_bytes,
    redirects: request.redirects - 1,
  }
}

function keepsBody(status: number, method: string): boolean {
  if (status === 307 || status === 308) return true
  return status !== 303 && method !== 'POST'
}

function afterSeeOther(method: string): string {
  return method === 'HEAD' ? 'HEAD' : 'GET'
}
