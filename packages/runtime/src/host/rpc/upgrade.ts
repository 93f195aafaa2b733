// Upgrades to the command channel: each is checked before a socket is created.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { rpcLimits } from '@tandem/contract/command'
import { channelRefusal, type Refusal } from '../request-checks.ts'
import { securityHeaders } from '../security-headers.ts'
import type { WindowSessions } from '../session.ts'
import type { ChannelPorts } from './channel.ts'

export interface ChannelServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** How many sockets are open. */
  clients(): number
  /** Closes every socket. */
  close(): void
}

export interface ChannelServerPorts extends ChannelPorts {
  readonly sessions: WindowSessions
  port(): number
  /** Called with the number of open windows whenever it changes. */
  onWindows(open: number): void
}

const goingAway = 1_012

export async function openChannelServer(ports: ChannelServerPorts): Promise<ChannelServer> {
  const [{ WebSocketServer }, { openChannel }] = await Promise.all([import('ws'), import('./channel.ts')])
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: rpcLimits.frame_bytes,
    // A small compressed message could expand to a huge one.
    perMessageDeflate: false,
  })
  let closing = false
  let windows = 0
  const countWindow = (change: 1 | -1) => {
    windows += change
    if (!closing) ports.onWindows(windows)
  }
  return {
    upgrade(request, socket, head) {
      const onError = (error: Error) => ports.log(`error during an upgrade: ${error.message}`)
      socket.on('error', onError)
      const refusal = closing
        ? busy
        : (channelRefusal(request, ports.port(), ports.sessions) ?? (server.clients.size >= rpcLimits.sockets ? busy : null))
      if (refusal) return refuse(socket, refusal)
      const isWindow = request.headers.authorization === undefined
      server.handleUpgrade(request, socket, head, (opened) => {
        // From now on it is a client, which may be killed at any time.
        socket.off('error', onError)
        openChannel(opened, ports)
        if (!isWindow) return
        countWindow(1)
        opened.once('close', () => countWindow(-1))
      })
    },
    clients: () => server.clients.size,
    close() {
      closing = true
      for (const socket of server.clients) {
        socket.close(goingAway, 'the runtime is stopping')
        ports.clock.after(500, () => socket.terminate())
      }
    },
  }
}

const busy: Refusal = { status: 503, reason: `At most ${rpcLimits.sockets} sockets can be open at once. Close one and try again.` }

const titles: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  421: 'Misdirected Request',
  503: 'Service Unavailable',
}

function refuse(socket: Duplex, { status, reason }: Refusal): void {
  const body = `${reason}\n`
  const headers = {
    ...securityHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${titles[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`)
}
