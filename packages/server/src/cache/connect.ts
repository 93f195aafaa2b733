// Connections to Redis, a Cluster or the primary that Sentinels name. Nothing is queued, sent twice or waited for longer than half a second.
import { Cluster, Redis, type RedisOptions, type Result } from 'ioredis'
import type { CacheNode } from '../config/cache-url.ts'
import type { CachePlace } from './place.ts'
import { takeScript } from './redis-take.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromWindow(key: string, points: number, seconds: number, cost: number): Result<[number, number, number], Context>
  }
}

type Options = Omit<RedisOptions, 'replyMapping'>

/** What a connection for commands can do, to one Redis or to many. */
export interface Commands {
  readonly status: string
  connect(): Promise<void>
  disconnect(reconnect?: boolean): void
  on(event: string, listener: (error: Error) => void): unknown
  off(event: string, listener: (error: Error) => void): unknown
  once(event: string, listener: (error: Error) => void): unknown
  get(key: string): Promise<string | null>
  mget(keys: string[]): Promise<(string | null)[]>
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<'OK' | null>
  set(key: string, value: string, unit: 'PX', milliseconds: number, when: 'NX'): Promise<'OK' | null>
  del(keys: string[]): Promise<number>
  publish(channel: string, message: string): Promise<number>
  takeFromWindow(key: string, points: number, seconds: number, cost: number): Promise<[number, number, number]>
}

const scripts = { takeFromWindow: { lua: takeScript, numberOfKeys: 1 } }
const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), 2_000) * (0.75 + Math.random() / 2)

/** Also used by the probe, which does not try again. */
export function connectCommands(place: CachePlace, options: Options & { retryStrategy?: null } = {}): Commands {
  const { address } = place
  const named = { connectionName: 'tandem', ...options }
  if (address.kind !== 'cluster') return connectOne(place, { enableAutoPipelining: true, scripts, ...named })
  const { retryStrategy: again, ...each } = named
  return new Cluster([...address.nodes], {
    redisOptions: { ...patience, ...login(place), ...each },
    scripts,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    // A node that fails is asked again a few times, for a replica may take its place; in all no longer than a Redis is waited for.
    maxRedirections: 5,
    retryDelayOnFailover: 50,
    retryDelayOnTryAgain: 50,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: each.connectTimeout ?? patience.connectTimeout,
    slotsRefreshInterval: 2_000,
    clusterRetryStrategy: again === null ? null : retryStrategy,
    ...(again === null ? {} : { clusterNodeRetryStrategy: retryStrategy }),
    // Certificates name hosts; the addresses they resolve to would not be found in them.
    dnsLookup: (host, callback) => callback(null, host),
  })
}

/** The connection that listens. Messages of a Cluster reach all of its nodes: one is heard, another after it failed. */
export function connectEar(place: CachePlace, knownNodes: () => readonly CacheNode[]): Redis {
  const options = { autoResubscribe: false, connectionName: 'tandem-ear' }
  const { nodes, kind } = place.address
  if (kind !== 'cluster') return connectOne(place, options)
  let turn = Math.floor(Math.random() * nodes.length)
  const next = (): CacheNode => {
    const known = [...nodes, ...knownNodes()]
    turn += 1
    return known[turn % known.length] ?? nodes[0]
  }
  const ear = connectOne(place, {
    ...options,
    ...next(),
    retryStrategy(attempt) {
      Object.assign(ear.options, next()) // read again when it connects
      return retryStrategy(attempt)
    },
  })
  return ear
}

function connectOne(place: CachePlace, options: Options): Redis {
  const { address, tls, sentinel_password } = place
  const where: Options =
    address.kind === 'sentinel'
      ? {
          ...{ sentinels: [...address.nodes], name: address.primary, db: address.database, failoverDetector: true },
          ...(sentinel_password === undefined ? {} : { sentinelPassword: sentinel_password }),
          ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
          sentinelCommandTimeout: patience.connectTimeout,
          sentinelRetryStrategy: options.retryStrategy === null ? () => null : retryStrategy,
        }
      : { ...address.nodes[0], db: address.kind === 'single' ? address.database : 0 }
  return new Redis({ ...where, ...patience, ...login(place), lazyConnect: true, enableOfflineQueue: false, retryStrategy, ...options })
}

const patience = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  commandTimeout: 500,
  // Slow is worse than down: what does not answer is hung up on, and until it is back calls fail without waiting.
  socketTimeout: 700,
}

function login({ address, password, tls }: CachePlace): Options {
  return {
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  }
}
