// Who may ask the loopback server at all. Any page of the web can send requests to 127.0.0.1; only our own is answered.
import type { IncomingMessage } from 'node:http'

interface Refusal {
  readonly status: number
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Null when the request may go on. */
export function refusalOf(request: IncomingMessage, port: number): Refusal | null {
  if (!isOurHost(request, port)) return { status: 421, reason: 'This server answers only to its own address.' }
  if (isForeignEmbedding(request)) return { status: 403, reason: 'Pages of other origins are not answered.' }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, reason: 'Only GET and HEAD are answered.', headers: { allow: 'GET, HEAD' } }
  }
  if (!request.url?.startsWith('/')) return { status: 400, reason: 'The address must be a path.' }
  return null
}

/** A name that was rebound to loopback still says its own name here; two names are one too many. */
function isOurHost(request: IncomingMessage, port: number): boolean {
  const hosts = request.headersDistinct.host ?? []
  const [host] = hosts
  return hosts.length === 1 && (host === `127.0.0.1:${port}` || host === `localhost:${port}`)
}

/** Browsers say where a request comes from. Following a link here is fine; loading us into another page is not. */
function isForeignEmbedding(request: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = request.headers
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  return !(mode === 'navigate' && destination === 'document')
}
