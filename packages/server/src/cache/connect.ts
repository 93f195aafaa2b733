// Connections to Redis, a Cluster, or the primary reported by Sentinels. Nothing is queued, sent twice or awaited for more than 500 ms.
import { Cluster, Redis, type RedisOptions, type Result } from 'ioredis'
import type { CacheNode } from '../config/cache-url.ts'
import type { CacheConnection } from './connection-options.ts'
import {
  admitAndAnnounceScript,
  admitScript,
  announceScript,
  enterScript,
  leaveScript,
  replaceScript,
  takeScript,
} from './redis-scripts.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromWindow(key: string, points: number, seconds: number, cost: number): Result<WindowReply, Context>
    admitRequest(keys: number, ...rest: (string | number)[]): Result<[WindowReply[], string], Context>
    enterCall(keys: number, ...rest: (string | number)[]): Result<[WindowReply[], number], Context>
    leaveCall(keys: number, ...rest: (string | number)[]): Result<number, Context>
    announceValue(...rest: (string | number)[]): Result<AnnouncementReply, Context>
    admitAndAnnounce(keys: number, ...rest: (string | number)[]): Result<[WindowReply[], string, AnnouncementReply?], Context>
    replaceUnless(key: string, value: string, milliseconds: number, kept: string): Result<number, Context>
  }
}

/** Allowed (0/1), remaining, reset in seconds. */
export type WindowReply = [number, number, number]

/** The result of its window; no value before (0/1); no mark before (0/1). */
export type AnnouncementReply = [WindowReply, number, number]

type Options = Omit<RedisOptions, 'replyMapping'>

/** What a connection for commands can do, to a single Redis or a Cluster. */
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
  takeFromWindow(key: string, points: number, seconds: number, cost: number): Promise<WindowReply>
  admitRequest(keys: number, ...rest: (string | number)[]): Promise<[WindowReply[], string]>
  enterCall(keys: number, ...rest: (string | number)[]): Promise<[WindowReply[], number]>
  leaveCall(keys: number, ...rest: (string | number)[]): Promise<number>
  announceValue(...rest: (string | number)[]): Promise<AnnouncementReply>
  admitAndAnnounce(keys: number, ...rest: (string | number)[]): Promise<[WindowReply[], string, AnnouncementReply?]>
  replaceUnless(key: string, value: string, milliseconds: number, kept: string): Promise<number>
}

const scripts = {
  takeFromWindow: { lua: takeScript, numberOfKeys: 1 },
  admitRequest: { lua: admitScript },
  enterCall: { lua: enterScript },
  leaveCall: { lua: leaveScript },
  announceValue: { lua: announceScript, numberOfKeys: 3 },
  admitAndAnnounce: { lua: admitAndAnnounceScript },
  replaceUnless: { lua: replaceScript, numberOfKeys: 1 },
}
/**
 * Their first argument is the number of keys, which ioredis takes for a key: in a Cluster it would send commands for several nodes in one
 * pipeline, and all of them would fail.
 */
const countsFirst = Object.entries(scripts).flatMap(([name, script]) => ('numberOfKeys' in script ? [] : [name]))
const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), 2_000) * (0.75 + Math.random() / 2)

/** Also used by the probe, which does not retry. */
export function connectCommands(place: CacheConnection, options: Options & { retryStrategy?: null } = {}): Commands {
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
    autoPipeliningIgnoredCommands: countsFirst,
    // A failed node is retried a few times, because a replica may replace it; in total no longer than for a single Redis.
    maxRedirections: 5,
    retryDelayOnFailover: 50,
    retryDelayOnTryAgain: 50,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: each.connectTimeout ?? patience.connectTimeout,
    slotsRefreshInterval: 2_000,
    clusterRetryStrategy: again === null ? null : retryStrategy,
    ...(again === null ? {} : { clusterNodeRetryStrategy: retryStrategy }),
    // Certificates contain host names, not the addresses that they resolve to.
    dnsLookup: (host, callback) => callback(null, host),
  })
}

/** The connection for messages. A Cluster sends messages to all of its nodes: this listens to one, and to another if that fails. */
export function connectSubscriber(place: CacheConnection, knownNodes: () => readonly CacheNode[]): Redis {
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

function connectOne(place: CacheConnection, options: Options): Redis {
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
  // Slow is worse than down: a server that does not answer is disconnected, and until it is back, calls fail without waiting.
  socketTimeout: 700,
}

function login({ address, password, tls }: CacheConnection): Options {
  return {
    ...(address.user === undefined ? {} : { username: address.user }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  }
}
