// Who may send requests to the loopback server. Any page on the web can send requests to 127.0.0.1; only our own is served.
import type { IncomingMessage } from 'node:http'
import { rpcPath } from '@tandem/contract/command'
import type { WindowSessions } from './session.ts'

export interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Null if a request for a page or a file is allowed. */
export function pageRefusal(request: IncomingMessage, port: number): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (isForeignEmbedding(request)) return { status: 403, reason: 'Requests from other origins are not allowed.' }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, reason: 'Only GET and HEAD are allowed.', headers: { allow: 'GET, HEAD' } }
  }
  if (!request.url?.startsWith('/')) return { status: 400, reason: 'The address must be a path.' }
  return null
}

/** Null if a window may exchange its code for a cookie: only our own page can send JSON here with our own origin. */
export function sessionRefusal(request: IncomingMessage, port: number): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (!isOurOrigin(request)) return foreignOrigin
  if (request.headers['content-type'] !== 'application/json') return { status: 415, reason: 'The code must be sent as application/json.' }
  return null
}

/** Null if a program may get the address of another window. No page can send this request: it cannot set the header, and it sends its origin. */
export function windowRefusal(request: IncomingMessage, port: number, sessions: WindowSessions): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  const { authorization, origin } = request.headersDistinct
  if (origin || request.headers['sec-fetch-site'] !== undefined) return foreignOrigin
  return isOurProgram(authorization, sessions) ? null : unknown
}

/** Null if the socket may be opened. The address contains no secret: a token in it would be logged. */
export function channelRefusal(request: IncomingMessage, port: number, sessions: WindowSessions): Refusal | null {
  if (!isOurHost(request, port)) return foreignHost
  if (request.url !== rpcPath) return { status: 404, reason: 'Not found.' }
  const { authorization, origin } = request.headersDistinct
  if (authorization) {
    // A page cannot set this header on a socket. A request that has both does not come from one of our programs.
    if (origin) return foreignOrigin
    return isOurProgram(authorization, sessions) ? null : unknown
  }
  if (!isOurOrigin(request)) return foreignOrigin
  const cookie = cookieOf(request, port)
  return cookie !== undefined && sessions.isWindow(cookie) ? null : unknown
}

/** Null if a window may get a file: a page of another origin does not have our cookie, and sends its origin. */
export function fileRefusal(request: IncomingMessage, port: number, sessions: WindowSessions): Refusal | null {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return foreignOrigin
  const cookie = cookieOf(request, port)
  return cookie !== undefined && sessions.isWindow(cookie) ? null : unknown
}

function isOurProgram(authorization: readonly string[] | undefined, sessions: WindowSessions): boolean {
  const [, token] = /^Bearer ([\w-]{43})$/.exec(authorization?.join() ?? '') ?? []
  return token !== undefined && sessions.isProgram(token)
}

/** Browsers share cookies between ports, so the name contains the port. */
export function cookieName(port: number): string {
  return `tandem_session_${port}`
}

const foreignHost: Refusal = { status: 421, reason: 'This server accepts only requests to its own address.' }
const foreignOrigin: Refusal = { status: 403, reason: 'Only the window of this runtime may do that.' }
const unknown: Refusal = {
  status: 401,
  reason: 'Run tandem start, or open Tandem from the start menu. A program sends the token from runtime.json.',
}

/** A DNS name that was rebound to loopback still appears here; more than one Host header is refused. */
function isOurHost(request: IncomingMessage, port: number): boolean {
  const hosts = request.headersDistinct.host ?? []
  const [host] = hosts
  return hosts.length === 1 && (host === `127.0.0.1:${port}` || host === `localhost:${port}`)
}

/** Exactly the origin of the page that this server sent. A missing origin, `null` and two origins are foreign. */
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

/** Browsers send where a request comes from. Following a link to us is allowed; embedding us in another page is not. */
function isForeignEmbedding(request: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return !(mode === 'navigate' && destination === 'document')
}
