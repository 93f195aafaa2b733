// For tests: a node of the backend that serves only `/ws`, and a client that records what it receives.
import { once } from 'node:events'
import { limits } from '@tandem/contract/limits'
import { type ServerMessage, subprotocolsWithToken, wsSubprotocol } from '@tandem/contract/ws'
import Fastify from 'fastify'
import { WebSocket } from 'ws'
import type { Cache } from '../../src/cache/cache.ts'
import { registerErrorHandler } from '../../src/http/failure.ts'
import { newId } from '../../src/http/id.ts'
import { openHub } from '../../src/realtime/hub.ts'
import { serveRealtime } from '../../src/realtime/route.ts'
import type { EndedSessions } from '../../src/token/ended-sessions.ts'
import { openTokens } from '../../src/token/tokens.ts'
import { waitFor } from './test-wait.ts'

const tokens = openTokens({ kind: 'secret', secret: 'a secret of forty-eight bytes, only for the tests' }, undefined)

export interface TestUser {
  readonly user_id: string
  readonly session_id: string
  readonly token: string
}

/** `expiresIn` seconds; a negative value creates an expired token. */
export async function testUser(known: Partial<TestUser> = {}, expiresIn: number = limits.access_token_seconds): Promise<TestUser> {
  const user_id = known.user_id ?? newId(Date.now())
  const session_id = known.session_id ?? newId(Date.now())
  const signedAt = Date.now() + (expiresIn - limits.access_token_seconds) * 1_000
  return { user_id, session_id, token: await tokens.sign({ user_id, session_id, email: 'mara@example.org' }, signedAt) }
}

export async function startNode(cache: Cache, options: { cors_origins?: string[]; now?: () => number } = {}) {
  const lines: string[] = []
  // Each client has its own address, because the rate limit is per address.
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } }, trustProxy: true })
  registerErrorHandler(app)
  app.get('/plain', async () => 'plain')
  const hub = openHub(cache, (line) => lines.push(line))
  const ended = marksOnly(cache)
  const { cors_origins = [], now = Date.now } = options
  await serveRealtime(app, {
    config: { cors_origins },
    cache,
    hub,
    tokens,
    endedSessions: ended,
    epoch: { current: 'e1' },
    now,
    log: app.log,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    hub,
    ended,
    lines,
    url: `${address.replace('http', 'ws')}/ws`,
    async close() {
      await app.close()
      await hub.close()
    },
  }
}

/** Without a database: a session has ended if it is marked in the cache. */
function marksOnly(cache: Cache): EndedSessions {
  return {
    async add(_userId, sessionIds) {
      await Promise.all(sessionIds.map((id) => cache.set(`session:${id}`, 'ended', 60)))
    },
    has: (_userId, sessionId) =>
      cache.get(`session:${sessionId}`).then(
        (mark) => mark !== undefined,
        () => false,
      ),
  }
}

export type TestNode = Awaited<ReturnType<typeof startNode>>

interface ClientOptions {
  readonly token?: string
  readonly origin?: string
  readonly path?: string
  readonly headers?: Record<string, string>
}

let clients = 0

export class TestClient {
  readonly messages: ServerMessage[] = []
  readonly socket: WebSocket
  closed: { code: number; reason: string } | undefined
  status: number | undefined

  constructor(node: TestNode, { token, origin, path = '', headers = {} }: ClientOptions = {}) {
    clients += 1
    const address = `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`
    const protocols = token === undefined ? [wsSubprotocol] : subprotocolsWithToken(token)
    this.socket = new WebSocket(node.url + path, protocols, {
      headers: { 'x-forwarded-for': address, ...headers },
      ...(origin === undefined ? {} : { origin }),
    })
    this.socket.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    this.socket.on('unexpected-response', (_request, response) => {
      this.status = response.statusCode
      this.closed = { code: 0, reason: `HTTP ${response.statusCode}` }
    })
    this.socket.on('error', () => undefined)
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open')
    return this
  }

  say(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The first `count` messages of this type, when they have arrived. */
  async heard(type: ServerMessage['type'], count = 1): Promise<ServerMessage[]> {
    const found = (): ServerMessage[] => this.messages.filter((message) => message.type === type)
    await waitFor(() => found().length >= count || this.closed !== undefined, 10_000)
    if (found().length < count) throw new Error(`closed with ${this.closed?.code} ${this.closed?.reason} before ${type}`)
    return found().slice(0, count)
  }

  async ended(): Promise<{ code: number; reason: string } | undefined> {
    await waitFor(() => this.closed !== undefined, 15_000)
    return this.closed
  }

  close(): void {
    this.socket.terminate()
  }
}

export async function signedIn(node: TestNode, user: TestUser): Promise<TestClient> {
  const client = new TestClient(node, { token: user.token })
  await client.heard('hello')
  return client
}
