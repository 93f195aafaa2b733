// Who may ask the loopback server at all. Any page of the web can send requests to 127.0.0.1; only our own is answered.
import type { IncomingMessage } from 'node:http'
import { rpcPath } from '@tandem/contract/command'
import type { Sessions } from './session.ts'

export interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Null when the request for a page or a file may go on. */
export function refusalOf(request: IncomingMessage, port: number): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (isForeignEmbedding(request)) return { status: 403, reason: 'Pages of other origins are not answered.' }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, reason: 'Only GET and HEAD are answered.', headers: { allow: 'GET, HEAD' } }
  }
  if (!request.url?.startsWith('/')) return { status: 400, reason: 'The address must be a path.' }
  return null
}

/** Null when a window may change its code for a cookie: only our own page can send JSON here with our own origin. */
export function sessionRefusal(request: IncomingMessage, port: number): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (!isOurOrigin(request)) return foreignOrigin
  if (request.headers['content-type'] !== 'application/json') return { status: 415, reason: 'The code must come as application/json.' }
  return null
}

/** Null when a program may have the address of another window. No page can send this: it sets no such header, and says where it comes from. */
export function windowRefusal(request: IncomingMessage, port: number, sessions: Sessions): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  const { authorization, origin } = request.headersDistinct
  if (origin || request.headers['sec-fetch-site'] !== undefined) return foreignOrigin
  return isOurProgram(authorization, sessions) ? null : unknown
}

/** Null when the socket may open. The address carries nothing: a token in it would be written to logs. */
export function channelRefusal(request: IncomingMessage, port: number, sessions: Sessions): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (request.url !== rpcPath) return { status: 404, reason: 'There is nothing here.' }
  const { authorization, origin } = request.headersDistinct
  if (authorization) {
    // A page can't set this header on a socket. Whoever has both is no program of ours.
    if (origin) return foreignOrigin
    return isOurProgram(authorization, sessions) ? null : unknown
  }
  if (!isOurOrigin(request)) return foreignOrigin
  const cookie = cookieOf(request, port)
  return cookie !== undefined && sessions.isWindow(cookie) ? null : unknown
}

/** Null when a window may see a file: a page of another origin has no cookie of ours, and says where it comes from. */
export function fileRefusal(request: IncomingMessage, port: number, sessions: Sessions): Refusal | null {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return foreignOrigin
  const cookie = cookieOf(request, port)
  return cookie !== undefined && sessions.isWindow(cookie) ? null : unknown
}

function isOurProgram(authorization: readonly string[] | undefined, sessions: Sessions): boolean {
  const [, token] = /^Bearer ([\w-]{43})$/.exec(authorization?.join() ?? '') ?? []
  return token !== undefined && sessions.isProgram(token)
}

/** Browsers do not keep the cookies of two ports apart: the name does. */
export function cookieName(port: number): string {
  return `tandem_session_${port}`
}

const foreignHost: Refusal = { status: 421, reason: 'This server answers only to its own address.' }
const foreignOrigin: Refusal = { status: 403, reason: 'Only the window of this runtime may do that.' }
const unknown: Refusal = {
  status: 401,
  reason: 'Open the window by the address that tandem start prints, or show the token of runtime.json.',
}

/** A name that was rebound to loopback still says its own name here; two names are one too many. */
function isOurHost(request: IncomingMessage, port: number): boolean {
  const hosts = request.headersDistinct.host ?? []
  const [host] = hosts
  return hosts.length === 1 && (host === `127.0.0.1:${port}` || host === `localhost:${port}`)
}

/** Exactly the origin of the page this server handed out. No origin, `null` and two of them are foreign. */
function isOurOrigin(request: IncomingMessage): boolean {
  const { origin = [], host = [] } = request.headersDistinct
  const site = request.headers['sec-fetch-site']
  return origin.length === 1 && origin[0] === `http://${host[0]}` && (site === undefined || site === 'same-origin')
}

function cookieOf(request: IncomingMessage, port: number): string | undefined {
  const name = `${cookieName(port)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(name))
  return found.length === 1 ? found[0]?.slice(name.length) : undefined
}

/** Browsers say where a request comes from. Following a link here is fine; loading us into another page is not. */
function isForeignEmbedding(request: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return !(mode === 'navigate' && destination === 'document')
}
