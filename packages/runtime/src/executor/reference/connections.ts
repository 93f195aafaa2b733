// Which connections an executor keeps open. Neither one address nor many of them can use up all places: a new connection takes the place
// of the oldest that has not shown the token.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from './wrong-tokens.ts'

const connectionLimits = { perNetwork: 32, total: 1_000 } as const

export interface Connections {
  /** It has shown the token, so it keeps its place. */
  admit(socket: Socket): void
}

export function limitConnections(server: Server): Connections {
  const perNetwork = new Map<string, number>()
  // Oldest first.
  const strangers = new Map<string, Socket>()
  let total = 0
  server.on('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '')
    const count = (perNetwork.get(from) ?? 0) + 1
    if (count > connectionLimits.perNetwork) return void socket.destroy()
    if (total >= connectionLimits.total) {
      const [oldest] = strangers
      if (oldest === undefined) return void socket.destroy()
      strangers.delete(oldest[0])
      oldest[1].destroy()
    }
    const key = keyOf(socket)
    perNetwork.set(from, count)
    strangers.set(key, socket)
    total += 1
    socket.once('close', () => {
      total -= 1
      strangers.delete(key)
      const left = (perNetwork.get(from) ?? 1) - 1
      if (left === 0) perNetwork.delete(from)
      else perNetwork.set(from, left)
    })
  })
  return { admit: (socket) => void strangers.delete(keyOf(socket)) }
}

/** The same for the connection and for the TLS socket over it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
