// Looks after every socket of the node with one timer: who never signed in, whose token has run out, who is still there.
import { limits } from '@tandem/contract/limits'
import type { CloseCode } from '@tandem/contract/ws'
import type { RealtimeSocket } from './socket.ts'

/** Sockets are pinged in turns, a share of them each second, so that a node never wakes all of them at once. */
export const turns = limits.ws_ping_seconds
/** Between two pings. Far above what a client has reason to send. */
export const messagesPerTurn = 200

/** What it looks at, and what it may do. */
type Kept = Pick<RealtimeSocket, 'open' | 'user_id' | 'opened_at' | 'expires_at' | 'turn' | 'heard' | 'messages'> & {
  shut(code: CloseCode): void
  ping(): void
  terminate(): void
}

export function tend(socket: Kept, turn: number, now: number): void {
  if (!socket.open) return
  if (socket.user_id === undefined) {
    if (now - socket.opened_at >= limits.ws_auth_seconds * 1_000) socket.shut(4408)
    return
  }
  if (now >= socket.expires_at) {
    socket.shut(4401)
    return
  }
  if (socket.turn !== turn) return
  if (!socket.heard) {
    // A whole round without a sign: there is nobody to say goodbye to.
    socket.terminate()
    return
  }
  socket.heard = false
  socket.messages = 0
  socket.ping()
}
