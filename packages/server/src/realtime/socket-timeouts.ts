// Checks all sockets of the node with one timer: unauthenticated, expired or dead ones are closed.
import { limits } from '@tandem/contract/limits'
import type { CloseCode } from '@tandem/contract/ws'
import type { RealtimeSocket } from './socket.ts'

/** Sockets are pinged in turns, some each second, so that a node never wakes all of them at once. */
export const turns = limits.ws_ping_seconds
/** Per ping interval. Far above what a client needs. */
export const messagesPerTurn = 200

/** What it reads and may call. */
type SocketTimeoutRecord = Pick<RealtimeSocket, 'open' | 'user_id' | 'opened_at' | 'expires_at' | 'turn' | 'heard' | 'messages'> & {
  shut(code: CloseCode): void
  ping(): void
  terminate(): void
}

export function checkSocket(socket: SocketTimeoutRecord, turn: number, now: number): void {
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
    // A whole round without a response: there is no peer to send a close message to.
    socket.terminate()
    return
  }
  socket.heard = false
  socket.messages = 0
  socket.ping()
}
