// A proxy on loopback for a program that opens its own connections (Chromium). It resolves, checks and pins every address, and requires a
// credential, so that no other program on the machine can use the scope of a run.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { NetworkFailure, Refused } from '../../call/failure.ts'
import type { FilteringProxy, ProxyRefusal } from '../../call/network.ts'
import type { CallScope } from '../../call/scope.ts'
import { blockedBy, type CheckedHost, type ConnectionPolicy, openConnectionPolicy } from './connection-policy.ts'
import { pinnedLookup } from './pinned-lookup.ts'
import type { Resolve } from './resolve.ts'

const mostRefusals = 1_000
/** Long enough for the slowest handshake, short enough not to accumulate dead sockets. */
const silentMs = 120_000

interface Link {
  readonly to: CheckedHost
  readonly end: () => void
}

export async function openFilteringProxy(scope: CallScope, resolve: Resolve): Promise<FilteringProxy> {
  const password = randomBytes(24).toString('base64url')
  const credential = Buffer.from(`Basic ${Buffer.from(`tandem:${password}`).toString('base64')}`)
  const refused: ProxyRefusal[] = []
  const links = new Set<Link>()
  const sockets = new Set<Socket>()
  let acting = scope
  let gate: ConnectionPolicy = openConnectionPolicy(reportingOnce(scope), resolve)

  const knows = (request: IncomingMessage): boolean => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '')
    return given.length === credential.length && timingSafeEqual(given, credential)
  }

  async function admit(host: string, port: number): Promise<CheckedHost | ProxyRefusal> {
    const asked = gate
    try {
      const admitted = await asked.admit(host, port)
      // The scope may have changed while the name was resolved.
      if (asked === gate || gate.stillAdmits(admitted)) return admitted
      return refuse({
        host,
        port,
        reason_code: 'host_out_of_scope',
        message: `${host}:${port} is no longer in scope`,
        blocked_by: blockedBy(acting),
      })
    } catch (error) {
      return refuse({ host, port, ...reasonOf(error) })
    }
  }

  function refuse(refusal: ProxyRefusal): ProxyRefusal {
    refused.push(refusal)
    if (refused.length > mostRefusals) refused.shift()
    return refusal
  }

  /** `end` is called when the scope no longer covers the connection. */
  function hold(to: CheckedHost, until: Duplex | ServerResponse, end: () => void): void {
    const link: Link = { to, end }
    links.add(link)
    until.once('close', () => links.delete(link))
  }

  const server = createServer({ maxHeaderSize: 128 * 1024 }, async (request, response) => {
    if (!knows(request))
      return answer(response, 407, 'this proxy can be used by one run only', { 'proxy-authenticate': 'Basic realm="tandem"' })
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:') return answer(response, 400, 'only CONNECT and absolute http URLs are supported')
    const to = await admit(url.hostname, url.port === '' ? 80 : Number(url.port))
    if ('reason_code' in to) return answer(response, 403, to.message)
    forward(request, response, url, to)
  })

  function forward(request: IncomingMessage, response: ServerResponse, url: URL, to: CheckedHost): void {
    const onward = httpRequest({
      method: request.method,
      host: to.host,
      port: to.port,
      path: `${url.pathname}${url.search}`,
      headers: { ...endToEnd(request), host: url.host },
      lookup: pinnedLookup(to.addresses),
      agent: new HttpAgent({ keepAlive: false }),
      timeout: silentMs,
    })
    onward.once('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, endToEnd(incoming))
      incoming.pipe(response)
      incoming.once('error', () => response.destroy())
    })
    onward.once('timeout', () => onward.destroy(new Error('no response')))
    onward.once('error', (error) => (response.headersSent ? response.destroy() : answer(response, 502, `${to.host}: ${error.message}`)))
    response.once('close', () => onward.destroy())
    hold(to, response, () => response.destroy())
    request.pipe(onward)
  }

  server.on('connect', async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!knows(request))
      return socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="tandem"\r\nContent-Length: 0\r\n\r\n',
      )
    const target = URL.parse(`http://${request.url}`)
    const port = Number(/:(\d+)$/.exec(request.url ?? '')?.[1])
    if (target?.pathname !== '/' || target.username !== '' || !(port > 0))
      return socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
    const to = await admit(target.hostname, port)
    if ('reason_code' in to) return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    const onward = connect({ host: to.host, port: to.port, lookup: pinnedLookup(to.addresses) })
    hold(to, socket, () => socket.destroy())
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.end())
    onward.setTimeout(silentMs, () => onward.connecting && onward.destroy(new Error('no response')))
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.once('error', () => {
      if (onward.connecting || onward.bytesRead === 0) socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    })
  })
  server.on('upgrade', (_, socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'))
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  await new Promise<void>((ready, fail) => server.once('error', fail).listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://tandem:${password}@127.0.0.1:${port}`,
    refused,
    setScope(next) {
      acting = next
      gate = openConnectionPolicy(reportingOnce(next), resolve)
      for (const link of links) if (!gate.stillAdmits(link.to)) link.end()
    },
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      for (const link of links) link.end()
      await closed
    },
  }
}

/** A thousand identical requests are one violation. */
function reportingOnce(scope: CallScope): CallScope {
  const told = new Set<string>()
  return {
    ...scope,
    report(violation) {
      const key = `${violation.resource} ${violation.blocked}`
      if (told.has(key) || told.size >= mostRefusals) return
      told.add(key)
      scope.report(violation)
    },
  }
}

function reasonOf(error: unknown): Omit<ProxyRefusal, 'host' | 'port'> {
  if (error instanceof Refused) return { reason_code: error.reason_code, message: error.message, blocked_by: error.facts.blocked_by }
  if (error instanceof NetworkFailure) return { reason_code: error.reason_code, message: error.message }
  return { reason_code: 'proxy_failed', message: error instanceof Error ? error.message : String(error) }
}

const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings)$/

function endToEnd(message: IncomingMessage): OutgoingHttpHeaders {
  const named = (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return Object.fromEntries(Object.entries(message.headersDistinct).filter(([name]) => !hopByHop.test(name) && !named.includes(name)))
}

function answer(response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`)
}
