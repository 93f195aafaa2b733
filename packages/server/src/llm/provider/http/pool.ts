// The connections to one provider, kept open between calls. The last one used is used first: the others may become idle, and close.
import type { Socket } from 'node:net'
import type { StopSignal } from '../../stop.ts'
import { Connection, type ConnectionListener, type PendingRequest, type ProviderReply } from './connection.ts'

export interface ConnectionPool {
  /** Resolves with the head of the response; rejects with the signal's reason, or with the error of the connection. */
  send(request: PoolRequest, signal: StopSignal): Promise<ProviderReply>
  /** Closes idle connections, now and from now on. */
  close(): void
}

export interface PoolRequest {
  /** Including the blank line, in Latin-1. */
  readonly head: string
  readonly body: Buffer | undefined
}

export interface PoolOptions {
  readonly connect: () => Socket
  /** The event that signals that `connect` is done. */
  readonly connected: 'connect' | 'secureConnect'
  readonly connect_ms: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

const freeMax = 256

/** A connection that was closed long ago reports it after one round trip. */
const staleMs = 1_000

export function openConnectionPool({ connect, connected, connect_ms, now = () => performance.now() }: PoolOptions): ConnectionPool {
  const free: { readonly connection: Connection; readonly until: number }[] = []
  let closed = false

  const owner: ConnectionListener = {
    free(connection, milliseconds) {
      const oldest = free[0]
      if (oldest && (oldest.until < now() || free.length >= freeMax)) oldest.connection.socket.destroy()
      if (closed) connection.socket.destroy()
      else free.push({ connection, until: now() + milliseconds })
      // An idle connection does not keep the process alive.
      connection.socket.unref()
    },
    lost(connection) {
      const at = free.findIndex((one) => one.connection === connection)
      if (at >= 0) free.splice(at, 1)
    },
  }

  function takeFree(): Connection | undefined {
    for (let one = free.pop(); one; one = free.pop()) {
      const { connection, until } = one
      if (until > now() && !connection.socket.destroyed) {
        connection.socket.ref()
        return connection
      }
      connection.socket.destroy()
    }
    return undefined
  }

  function open(): Connection {
    const socket = connect()
    const late = setTimeout(() => socket.destroy(Object.assign(new Error('too slow to connect'), { code: 'ETIMEDOUT' })), connect_ms)
    socket.once(connected, () => clearTimeout(late)).once('close', () => clearTimeout(late))
    return new Connection(socket, owner)
  }

  async function send({ head, body }: PoolRequest, signal: StopSignal): Promise<ProviderReply> {
    if (signal.aborted) throw signal.reason
    const kept = takeFree()
    const since = now()
    let asked: PendingRequest = (kept ?? open()).ask(head, body)
    // No effect if it is over: its connection serves another request by then.
    signal.addEventListener('abort', () => asked.stop(asError(signal.reason)))
    try {
      return await asked.reply
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // A kept connection that the other side had already closed: the request is sent again, silently. If it breaks later, the request may
      // have been processed and billed: that counts as an attempt.
      if (!kept || asked.heard || !isReset(error) || now() - since > staleMs) throw error
    }
    asked = open().ask(head, body)
    try {
      return await asked.reply
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    }
  }

  return {
    send,
    close() {
      closed = true
      for (const { connection } of free.splice(0)) connection.socket.destroy()
    },
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted')
}
