// What becomes of a request that is sent elsewhere. Pure.

import { Refused } from '../../call/failure.ts'
import type { NetworkRequest } from '../../call/network.ts'

const redirecting: readonly number[] = [301, 302, 303, 307, 308]

/** All that goes along to another origin. Any other header may be a secret meant for the first one. */
const harmless: readonly string[] = ['accept', 'accept-language', 'content-type', 'range', 'user-agent']
/** Says what the body is; gone with it. */
const aboutTheBody: readonly string[] = ['content-type', 'content-encoding', 'content-language', 'content-location']

export function redirectTarget(status: number, location: string | undefined, from: string): string | null {
  if (!redirecting.includes(status) || location === undefined) return null
  return URL.parse(location, from)?.href ?? null
}

/** What is sent was meant for one host; another one is told of, not followed. */
export function leavesItsHost(request: NetworkRequest, target: string): boolean {
  const sends = request.body !== undefined || !['GET', 'HEAD'].includes(request.method)
  return sends && new URL(request.url).host !== new URL(target).host
}

export function redirected(request: NetworkRequest, status: number, target: string): NetworkRequest {
  const from = new URL(request.url)
  const to = new URL(target)
  const body = keepsBody(status, request.method) ? request.body : undefined
  const method = keepsBody(status, request.method) ? request.method : afterSeeOther(request.method)
  const sent = Object.entries(request.headers ?? {}).filter(([name]) => body !== undefined || !aboutTheBody.includes(name.toLowerCase()))
  const kept = from.origin === to.origin ? sent : sent.filter(([name]) => harmless.includes(name.toLowerCase()))
  if (from.protocol === 'https:' && to.protocol === 'http:' && (kept.length < sent.length || body !== undefined)) {
    throw new Refused(
      'redirect_downgrade',
      `${from.host} sends the request on to ${to.origin}, where credentials and contents would travel in the clear`,
      {
        subject: to.host,
        remedy: 'ask the https address directly, or send nothing secret',
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
