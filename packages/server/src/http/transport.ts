// What applies to every request before any feature: its id, compression, and a graceful shutdown.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { type Refusal, refuse } from './refusal.ts'

/** How long callers may finish what they started; orchestrators commonly kill after 30 s. */
const drainMilliseconds = 15_000

const partingMilliseconds = 250

/** For the body of a refused request: closing a connection with unread bytes discards the response. */
const partingBodyMilliseconds = 5_000

/** The rest of the body of a refused request must arrive within this time, or the connection is closed. */
const restMilliseconds = 30_000

/** Whether requests are accepted at all. */
export class ShutdownState {
  closing = false

  /** Why this one is not; undefined if it is. */
  refusal(request: IncomingMessage): Refusal | Promise<Refusal> | undefined {
    if (this.closing) {
      const detail = 'this server is shutting down; try again, and another server, or this one after its restart, will respond'
      return readAway(request).then(() => refuse('restarting', detail, { retry_after_seconds: 1 }))
    }
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return undefined
    return refuse('unsupported_media_type', `the body must be uncompressed, not ${encoding.slice(0, 40)}`)
  }
}

export async function setTransport(app: FastifyInstance, door = new ShutdownState()): Promise<void> {
  closeOnlyIdle(app.server)
  app.addHook('preClose', async () => {
    door.closing = true
    if (app.server.listening) await drain(app.server)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (door.closing) reply.header('connection', 'close')
    const refusal = door.refusal(request.raw)
    if (refusal instanceof Promise) refusal.then(done, done)
    else done(refusal)
  })
  // Started before the stop and answered after it: the caller must not reuse this connection.
  app.addHook('onSend', async (_request, reply) => {
    if (door.closing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done()
    drainBody(raw)
  })
  // Fast levels: a page of changes is text, and the reader waits for it.
  await app.register(compress, {
    globalDecompression: false,
    threshold: 2_048,
    encodings: ['gzip', 'identity'],
    zlibOptions: { level: 1 },
    customTypes: /^application\/(?:problem\+)?json/,
  })
}

/** The caller's own request id if it is a plain word, so that the logs of both sides match. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/**
 * Closing a server waits for its connections. Callers on a busy kept-alive one get a moment to see `connection: close`; then
 * idle ones are closed, and finally those that never finish. A request that is sent while its idle connection is being closed, or waits in
 * the system's own queue when listening ends, is lost: it was never accepted, and no response was started.
 */
async function drain(server: Server): Promise<void> {
  const last = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  server.once('close', () => clearTimeout(last))
  const connections = await promisify(server.getConnections.bind(server))()
  if (connections > 0) await sleep(partingMilliseconds)
  // Right after everything that arrived was read: a connection that is idle then has nothing pending.
  const sweep = setInterval(() => void afterReading().then(() => server.closeIdleConnections()), 100)
  server.once('close', () => clearInterval(sweep))
  await afterReading()
}

/** Refused while its body is arriving: unless the rest is drained, the next request on this connection waits forever. */
export function drainBody(request: IncomingMessage): void {
  // Requests injected inside the process do not have it.
  if (request.complete !== false) return
  request.unpipe().resume()
  const late = setTimeout(() => request.destroy(), restMilliseconds).unref()
  request.once('close', () => clearTimeout(late))
}

async function readAway(request: IncomingMessage): Promise<void> {
  // Requests injected inside the process do not have it.
  if (request.complete !== false) return
  const read = new Promise((resolve) => request.once('close', resolve).once('end', resolve))
  request.resume()
  const late = new AbortController()
  await Promise.race([read, sleep(partingBodyMilliseconds, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
}

/** Time for the first bytes of a connection to arrive; browsers also open some that they never use. */
const silenceMilliseconds = 1_000

interface Watched {
  readonly since: number
  open: number
  /** Bytes read when the last response ended; undefined before the first. */
  settled: number | undefined
}

/**
 * Redefines the server's "close idle connections": answered with no further data, or silent for a while. Node's own would also
 * close a connection that was just accepted, and whose request is on its way.
 */
function closeOnlyIdle(server: Server, now: () => number = () => performance.now()): void {
  const watched = new Map<Socket, Watched>()
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { since: now(), open: 0, settled: undefined })
    socket.once('close', () => watched.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    const one = watched.get(socket)
    if (!one) return
    one.open += 1
    reply.once('close', () => {
      one.open -= 1
      one.settled = socket.bytesRead
    })
  })
  server.closeIdleConnections = () => {
    for (const [socket, one] of watched) if (isIdle(one, socket.bytesRead, now())) socket.destroy()
  }
}

function isIdle({ since, open, settled }: Watched, bytesRead: number, now: number): boolean {
  if (open > 0) return false
  return settled === undefined ? bytesRead === 0 && now - since > silenceMilliseconds : bytesRead === settled
}
