// What holds for every request before any feature: its id, compression, and a clean end when the node stops.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { type Refusal, refuse } from './refusal.ts'

/** What callers get to finish what they began; orchestrators commonly kill after 30 s. */
const drainMilliseconds = 15_000

const partingMilliseconds = 250

/** For the body of a request that is sent away: closing a connection with bytes unread takes the answer back. */
const partingBodyMilliseconds = 5_000

/** What is left of the body of a refused request has to come within this, or the connection is closed. */
const restMilliseconds = 30_000

/** Whether requests are taken at all, whatever they ask for. */
export class Door {
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

export async function setTransport(app: FastifyInstance, door = new Door()): Promise<void> {
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
  // Begun before the end and answered after it: the caller is not to wait with the next one on this connection.
  app.addHook('onSend', async (_request, reply) => {
    if (door.closing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done()
    readRest(raw)
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

/** The caller's own id for the request where it is a plain word, so that both sides' logs tell one story. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}

/**
 * Closing a server waits for its connections. Callers who are busy on a kept-alive one get a moment to hear `connection: close`; then
 * idle ones are let go, and in the end those who never finish. What crosses the closing of an idle connection on the wire, or waits in
 * the system's own queue when listening ends, is lost: nobody had accepted it, and no answer was begun.
 */
async function drain(server: Server): Promise<void> {
  const last = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  server.once('close', () => clearTimeout(last))
  const connections = await promisify(server.getConnections.bind(server))()
  if (connections > 0) await sleep(partingMilliseconds)
  // Right after all that has arrived was read: what is idle then has nothing waiting.
  const sweep = setInterval(() => void afterReading().then(() => server.closeIdleConnections()), 100)
  server.once('close', () => clearInterval(sweep))
  await afterReading()
}

/** Refused in the middle of its body: unless the rest is read away, the next request on this connection waits behind it for ever. */
export function readRest(request: IncomingMessage): void {
  // Requests made inside the process have no such mark.
  if (request.complete !== false) return
  request.unpipe().resume()
  const late = setTimeout(() => request.destroy(), restMilliseconds).unref()
  request.once('close', () => clearTimeout(late))
}

async function readAway(request: IncomingMessage): Promise<void> {
  // Requests made inside the process have no such mark.
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
  /** Bytes read when the last answer was over; undefined before the first. */
  settled: number | undefined
}

/**
 * From here on the server's own "close what is idle" means: answered, and nothing more has come; or silent for a while. Node's would also
 * close a connection that was accepted a moment ago, and whose request is on its way.
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
