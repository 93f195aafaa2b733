// The real-time channel `/ws`. Every message is a hint; the data comes from a pull or a read.
export type { ClientMessage, ServerMessage } from './schema.ts'

export const wsSubprotocol = 'tandem.v1'

/** A browser cannot set headers on a WebSocket: there the token may be a second subprotocol. It is never part of the URL. */
const tokenPrefix = 'tandem.token.'

export function subprotocolsWithToken(token: string): string[] {
  return [wsSubprotocol, `${tokenPrefix}${token}`]
}

/** The token among the subprotocols a client offers. */
export function tokenFromSubprotocols(subprotocols: Iterable<string>): string | undefined {
  for (const name of subprotocols)
    if (name.startsWith(tokenPrefix) && name.length > tokenPrefix.length) return name.slice(tokenPrefix.length)
  return undefined
}

export const clientMessageTypes = ['auth', 'ping'] as const
export type ClientMessageType = (typeof clientMessageTypes)[number]

export const serverMessageTypes = [
  'hello',
  'sync.changed',
  'task.created',
  'task.updated',
  'task.canceled',
  'device.presence',
  'pong',
  'error',
] as const
export type ServerMessageType = (typeof serverMessageTypes)[number]

/** Why the server closes a socket, and when the client may reconnect. */
export const closeCodes = {
  1008: { name: 'misbehaved', meaning: 'Too many messages, or unsupported messages.', reconnect: 'after_backoff' },
  1012: { name: 'restart', meaning: 'The service is restarting.', reconnect: 'after_backoff' },
  4401: { name: 'unauthorized', meaning: 'The token is missing, not valid or expired.', reconnect: 'after_refresh' },
  4403: { name: 'origin_refused', meaning: 'The origin of the page is not allowed.', reconnect: 'never' },
  4408: { name: 'auth_timeout', meaning: 'No token arrived in time.', reconnect: 'after_backoff' },
  4409: { name: 'session_ended', meaning: 'The session was ended: sign in again.', reconnect: 'after_login' },
  4413: { name: 'message_too_big', meaning: 'A message was larger than the limit.', reconnect: 'after_backoff' },
  4429: { name: 'slow_reader', meaning: 'Messages were not read fast enough; pull to catch up.', reconnect: 'after_backoff' },
  4430: { name: 'too_many_sockets', meaning: 'The account has too many sockets open.', reconnect: 'after_backoff' },
} as const satisfies Record<number, CloseReason>

export interface CloseReason {
  readonly name: string
  readonly meaning: string
  readonly reconnect: 'after_backoff' | 'after_refresh' | 'after_login' | 'never'
}

export type CloseCode = keyof typeof closeCodes

/** What to do about any close: an unknown code means a lost connection, and the client simply reconnects. */
export function reconnectAfter(code: number): CloseReason['reconnect'] {
  const reasons: Readonly<Record<number, CloseReason>> = closeCodes
  return reasons[code]?.reconnect ?? 'after_backoff'
}
