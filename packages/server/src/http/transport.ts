// What holds for every request before any feature: its id, compression, and a clean end when the node stops.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import { closeOnlyIdle } from './connections.ts'
import { refuse } from './refusal.ts'

/** What callers get to finish what they began; orchestrators commonly kill after 30 s. */
const drainMilliseconds = 15_000

const partingMilliseconds = 250

/** For the body of a request that is sent away: closing a connection with bytes unread takes the answer back. */
const partingBodyMilliseconds = 5_000

/** What is left of the body of a refused request has to come within this, or the connection is closed. */
const restMilliseconds = 30_000

export async function setTransport(app: FastifyInstance): Promise<void> {
  let closing = false
  closeOnlyIdle(app.server)
  app.addHook('preClose', async () => {
    closing = true
    if (app.server.listening) await drain(app.server)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (closing) {
      reply.header('connection', 'close')
      const detail = 'this node is being shut down; another one, or this one again, will answer'
      const refusal = refuse('restarting', detail, { retry_after_seconds: 1 })
      readAway(request.raw).then(() => done(refusal), done)
      return
    }
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      return done(refuse('unsupported_media_type', `bodies are taken uncompressed, not as ${encoding.slice(0, 40)}`))
    }
    done()
  })
  // Begun before the end and answered after it: the caller is not to wait with the next one on this connection.
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  // Refused in the middle of its body: unless the rest is read away, the next request on this connection waits behind it for ever.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    done()
    // Requests made inside the process have no such mark.
    if (raw.complete !== false) return
    raw.unpipe().resume()
    const late = setTimeout(() => raw.destroy(), restMilliseconds).unref()
    raw.once('close', () => clearTimeout(late))
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

async function readAway(request: IncomingMessage): Promise<void> {
  // Requests made inside the process have no such mark.
  if (request.complete !== false) return
  const read = new Promise((resolve) => request.once('close', resolve).once('end', resolve))
  request.resume()
  const late = new AbortController()
  await Promise.race([read, sleep(partingBodyMilliseconds, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
}

/** Which senders of forwarding headers are believed: nobody, so many hops, or these addresses. */
export function trustedProxies(
  trust: false | number | readonly string[],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (trust === false) return false
  return typeof trust === 'number' ? (_address, hop) => hop < trust : [...trust]
}

/** The caller's own id for the request where it is a plain word, so that both sides' logs tell one story. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()
}
