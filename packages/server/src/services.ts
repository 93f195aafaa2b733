// What a feature gets: the parts of the backend, by their ports.
import type { ServerMessage } from '@tandem/contract/ws'
import type { FastifyBaseLogger } from 'fastify'
import type { Blobs } from './blobs/blobs.ts'
import type { Cache } from './cache/cache.ts'
import type { Config } from './config/config.ts'
import type { Database } from './database/database.ts'
import type { EpochWatch } from './database/epoch-watch.ts'
import type { ApiKeys } from './token/api-keys.ts'
import type { EndedSessions } from './token/ended-sessions.ts'
import type { Tokens } from './token/tokens.ts'

export interface Services {
  readonly config: Config
  readonly database: Database
  readonly cache: Cache
  readonly blobs: Blobs
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly endedSessions: EndedSessions
  readonly hub: Hub
  readonly log: FastifyBaseLogger
  /** Identifies one history of the database; it changes when a standby is promoted or a backup is restored. */
  readonly epoch: Pick<EpochWatch, 'current'>
  /** Set in a worker: the other workers of this node have metrics, too. */
  readonly joinMetrics?: JoinMetrics
  /** Milliseconds since 1970. */
  now(): number
}

/** Gets the function that renders the metrics of this process; returns one that gathers those of all processes of the node. */
export type JoinMetrics = (render: () => string) => () => Promise<readonly string[]>

/** Delivers to the sockets of a user, on any node. */
export interface Hub {
  /** A hint: if it is lost, the next pull makes up for it. */
  tell(userId: string, message: ServerMessage): void
  /** Closes the sockets of sessions that have ended. */
  endSessions(userId: string, sessionIds: readonly string[]): void
  /** How many are open on this node. */
  readonly sockets: number
}
