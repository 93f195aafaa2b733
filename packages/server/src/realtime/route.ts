// `/ws`: who may open it, its messages, and how it ends.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import websocket from '@fastify/websocket'
import { routes } from '@tandem/contract/http/schema'
import { limits } from '@tandem/contract/limits'
import { type ProblemCode, problems } from '@tandem/contract/problem'
import { tokenFromSubprotocols, wsSubprotocol } from '@tandem/contract/ws'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { enforceRateLimits } from '../http/admission/rate-limit.ts'
import { refuse } from '../http/refusal.ts'
import type { Hub, Services } from '../services.ts'
import { readClientMessage } from './client-message.ts'
import { type NodeHub, openHub } from './hub.ts'
import { originAllowed } from './origin.ts'
import { type SignInServices, sendHello, signIn } from './sign-in.ts'
import { RealtimeSocket } from './socket.ts'
import { checkSocket, messagesPerTurn, turns } from './socket-timeouts.ts'

/** Invalid messages before the socket is closed. */
const faultsAllowed = 5
/** Options of `ws` that its types lack: any class that extends its own, and how long a closing socket waits for the other side. */
const untyped: object = { WebSocket: RealtimeSocket, closeTimeout: 5_000 }
const closing = { spreadMs: 1_000, slices: 20, patienceMs: 1_500 }

interface RealtimeServices extends SignInServices, Pick<Services, 'cache' | 'log'> {
  readonly config: Pick<Services['config'], 'cors_origins'>
}

/** `busy`: whether requests are waiting on this node. */
export async function serveRealtime(
  app: FastifyInstance,
  services: Omit<RealtimeServices, 'hub'> & { hub: Hub },
  busy: () => boolean = () => false,
): Promise<void> {
  const { config, cache, log } = services
  // Another hub, such as one of a test that records hints, has no rooms: then the sockets get their own.
  const hub = hasRooms(services.hub) ? services.hub : openHub(cache, (line) => log.info(line))
  const desk: SignInServices = { ...services, hub }
  const responses = new WeakMap<FastifyRequest, ServerResponse>()
  let isClosing = false
  let arrivals = 0

  await app.register(websocket, {
    options: {
      ...untyped,
      maxPayload: limits.ws_message_bytes,
      perMessageDeflate: false,
      // Only the name of the protocol is echoed, never the token next to it.
      handleProtocols: (offered) => (offered.has(wsSubprotocol) ? wsSubprotocol : false),
    },
    preClose: closeAll,
  })
  const sockets = app.websocketServer.clients
  // Elsewhere an upgrade is ignored and the request is answered normally; if accepted, nothing would handle its connection.
  Object.assign(app.server, { shouldUpgradeCallback: ({ url }: IncomingMessage) => isOurs(url) })

  app.route({
    method: 'GET',
    url: routes.ws.path,
    config: { route: routes.ws },
    async onRequest(request, reply) {
      responses.set(request, reply.raw)
      await enforceRateLimits(cache, routes.ws, { address: request.ip }, reply)
    },
    handler() {
      throw refuse('upgrade_required', `${routes.ws.path} is a WebSocket`)
    },
    wsHandler(socket, request) {
      if (socket instanceof RealtimeSocket) arrive(socket, request)
    },
  })

  // One of each for all sockets. They get the socket as `this`.
  function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
    if (this instanceof RealtimeSocket && isWelcome(this) && Buffer.isBuffer(data)) answer(this, data, isBinary)
  }
  function onPing(this: WebSocket): void {
    if (this instanceof RealtimeSocket) isWelcome(this)
  }
  function onPong(this: WebSocket): void {
    if (this instanceof RealtimeSocket) this.heard = true
  }
  function onClose(this: WebSocket): void {
    if (this instanceof RealtimeSocket && this.user_id !== undefined) hub.leave(this.user_id, this)
  }
  function onError(error: Error): void {
    // A broken connection or a protocol error: `ws` closes the socket, and there is nothing else to do.
    log.debug({ err: error }, 'a WebSocket failed')
  }

  function arrive(socket: RealtimeSocket, request: FastifyRequest): void {
    // The request is over. The plugin's listener and the response that will never be sent would keep the request in
    // memory as long as the socket is open, and count it as one very slow request when it closes.
    responses.get(request)?.detachSocket(request.raw.socket)
    socket.removeAllListeners('error')
    socket.on('error', onError)
    const code = isClosing ? 1012 : mayCome(request) ? undefined : 4403
    if (code !== undefined) {
      socket.shut(code)
      return
    }
    socket.opened_at = services.now()
    socket.turn = arrivals++ % turns
    socket.on('message', onMessage).on('ping', onPing).on('pong', onPong).on('close', onClose)
    const token = tokenFromSubprotocols((request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim()))
    if (token !== undefined) queueSignIn(socket, token, undefined)
  }

  function mayCome({ headers, host, protocol }: FastifyRequest): boolean {
    const origin = headers.origin ?? oneText(headers['sec-websocket-origin'])
    return originAllowed({ origin, host, protocol }, config.cors_origins)
  }

  /** Messages and pings, which `ws` answers itself, both count as a flood. */
  function isWelcome(socket: RealtimeSocket): boolean {
    socket.heard = true
    socket.messages += 1
    if (socket.messages > messagesPerTurn) socket.shut(1008)
    return socket.open
  }

  function answer(socket: RealtimeSocket, data: Buffer, isBinary: boolean): void {
    const heard = readClientMessage(data, isBinary)
    if (!heard.ok) object(socket, 'invalid_request', heard.detail)
    else if (heard.message.type === 'auth') queueSignIn(socket, heard.message.token, heard.message.device_id)
    else if (!socket.greeted) object(socket, 'unauthorized', 'the first message must be auth')
    else socket.say({ ...heard.message, type: 'pong', server_ts: new Date(services.now()).toISOString() })
  }

  function object(socket: RealtimeSocket, code: ProblemCode, detail: string): void {
    socket.faults += 1
    if (socket.faults > faultsAllowed) socket.shut(1008)
    else socket.say({ type: 'error', code, detail, remedy: problems[code].remedy })
  }

  /** Sequentially, in the order of arrival. */
  function queueSignIn(socket: RealtimeSocket, token: string, deviceId: string | undefined): void {
    const before = socket.signingIn ?? Promise.resolve()
    const work = before
      .then(() => signIn(desk, socket, token, deviceId))
      .catch((error: unknown) => fail(socket, error))
      .finally(() => {
        if (socket.signingIn === work) socket.signingIn = undefined
      })
    socket.signingIn = work
  }

  function fail(socket: RealtimeSocket, error: unknown): void {
    log.error({ err: error }, 'a WebSocket could not be served')
    socket.close(1011, 'internal_error')
  }

  // Messages of other nodes were lost, including ends of sessions: check all sessions again, and tell everyone to pull.
  hub.onLoss((member) => {
    if (member instanceof RealtimeSocket && member.greeted) sendHello(desk, member).catch((error: unknown) => fail(member, error))
  }, busy)

  let turn = 0
  const keeper = setInterval(() => {
    turn = (turn + 1) % turns
    const now = services.now()
    for (const socket of sockets) if (socket instanceof RealtimeSocket) checkSocket(socket, turn, now)
  }, 1_000).unref()

  /** Spread over a second, so that clients do not all reconnect to the other nodes at once. */
  async function closeAll(): Promise<void> {
    isClosing = true
    clearInterval(keeper)
    const open = [...sockets]
    const share = Math.ceil(open.length / closing.slices)
    for (let start = 0; start < open.length; start += share) {
      for (const socket of open.slice(start, start + share)) if (socket instanceof RealtimeSocket) socket.shut(1012)
      await sleep(closing.spreadMs / closing.slices)
    }
    const end = performance.now() + closing.patienceMs
    while (sockets.size > 0 && performance.now() < end) await sleep(20)
    for (const socket of sockets) socket.terminate()
    app.websocketServer.close()
  }
}

function isOurs(url = ''): boolean {
  return /^\/ws\/?(?:\?|$)/.test(url)
}

function hasRooms(hub: Hub): hub is NodeHub {
  return 'join' in hub && 'leave' in hub && 'onLoss' in hub
}

function oneText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}
