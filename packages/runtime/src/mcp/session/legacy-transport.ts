// Servers with the transport of the first protocol version (HTTP with SSE) refuse the first message; then that transport is tried.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { HttpTransport } from './http-transport.ts'
import type { Sdk } from './sdk.ts'

/** Statuses that can mean "not this transport". The others say something about this request, and another transport would not help. */
const other: readonly number[] = [400, 404, 405, 406, 415, 422]

interface LegacyTransport {
  readonly transport: Transport
  /** Why its stream could not be opened, if that is known. */
  cause(): Error | null
}

export function withLegacyTransport(sdk: Sdk, current: HttpTransport, legacy: () => LegacyTransport): HttpTransport {
  let used: Transport = current
  let isDecided = false
  let isClosed = false

  function listenTo(from: Transport): void {
    from.onmessage = (message, extra) => {
      if (from === used) transport.onmessage?.(message, extra)
    }
    from.onerror = (error) => {
      // The reason why the older transport did not work is not a reason of the session.
      if (from !== used) return
      transport.onerror?.(error)
      // Its library would connect again, to a new session that never had a handshake.
      if (isDecided && error instanceof sdk.SseError) void transport.close()
    }
    from.onclose = () => {
      if (from === used) transport.onclose?.()
    }
  }

  async function sendOlder(message: JSONRPCMessage, refusal: unknown): Promise<void> {
    const { transport: older, cause } = legacy()
    listenTo(older)
    tried = older
    try {
      await older.start()
    } catch (error) {
      await older.close()
      // A server that refuses only the caller has this transport. Otherwise the first refusal is the one that helps.
      throw cause() ?? (error instanceof sdk.SseError && (error.code === 401 || error.code === 403) ? error : refusal)
    }
    if (isClosed) {
      await older.close()
      throw refusal
    }
    const first = used
    used = older
    isDecided = true
    await first.close()
    await older.send(message)
  }

  let tried: Transport | null = null
  listenTo(current)
  const transport: HttpTransport & { protocolVersion?: string } = {
    get sessionId() {
      return used.sessionId
    },
    start: () => used.start(),
    async send(message, options) {
      if (isDecided) return used.send(message, options)
      try {
        await used.send(message, options)
        isDecided = true
      } catch (error) {
        const mayBeOlder = error instanceof sdk.StreamableHTTPError && other.includes(error.code ?? 0)
        if (!mayBeOlder || isClosed) throw error
        await sendOlder(message, error)
      }
    },
    async close() {
      isClosed = true
      if (tried && tried !== used) await tried.close()
      await used.close()
    },
    setProtocolVersion(version) {
      transport.protocolVersion = version
      used.setProtocolVersion?.(version)
    },
    terminateSession: async () => (used === current ? current.terminateSession() : undefined),
  }
  return transport
}
