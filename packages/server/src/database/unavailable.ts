// The database is unavailable; the same request may succeed later. Any other error is a bug or a violated rule.
import postgres from 'postgres'

export type UnavailableReason = 'connection' | 'shard' | 'busy'

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly code = 'database_unavailable'
  /**
   * `connection`: unreachable or lost. `shard`: reachable, but a part of the data is not. `busy`: reachable, but out of connections, time or
   * locks.
   */
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A connection failed or was lost. `code` is from the operating system, or one of ours. */
export class ConnectionError extends Error {
  override readonly name = 'WireError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

// Shutdown, crash, startup, ended for idling or for its age, and what a restore may change during a request. PostgreSQL ends the connection
// with them; as an error on a connection that stays open, they are those of a worker, which Citus reports.
const endStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '28P01', '28000', '3D000'])

// A demoted primary keeps the connection open, but only a new one reaches its successor.
const demotedState = '25006'

// Statement timeout, lock timeout, deadlock, serialization failure, out of connections, memory or disk.
const busyStates = new Set(['57014', '55P03', '40P01', '40001', '53000', '53100', '53200', '53300', '53400'])

const driverCodes = new Set(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'])

/** The same error, as DatabaseUnavailable if that is its meaning. Errors of other sockets and files are returned unchanged. */
export function asUnavailable(error: unknown): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  return new DatabaseUnavailable(reason, `${words[reason]} (${errorCode(error)})`, { cause: error })
}

const words = {
  connection: 'the database is not reachable',
  shard: 'a part of the database is not reachable',
  busy: 'the database is busy',
} as const satisfies Record<UnavailableReason, string>

function reasonOf(error: unknown): DatabaseUnavailable['reason'] | undefined {
  if (error instanceof ConnectionError) return 'connection'
  const code = errorCode(error) ?? ''
  if (driverCodes.has(code)) return 'connection'
  if (!(error instanceof postgres.PostgresError)) return undefined
  if (code === demotedState) return 'connection'
  if (endStates.has(code) || code.startsWith('08')) return error.severity === 'ERROR' ? 'shard' : 'connection'
  return busyStates.has(code) ? 'busy' : undefined
}

/** Whether the connection itself is lost, so that nothing more can be sent. */
export function isConnectionLoss(error: unknown): boolean {
  const unavailable = asUnavailable(error)
  return unavailable instanceof DatabaseUnavailable && unavailable.reason === 'connection'
}

/** PostgreSQL had no room for a new connection: nothing was started, and a connection may become free at any moment. */
export function isOutOfConnections(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  return cause instanceof postgres.PostgresError && cause.code === '53300' && cause.severity !== 'ERROR'
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
