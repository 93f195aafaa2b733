// The cache port: short-lived values, rate limits and messages between nodes. It never has the only copy of anything.
import { openInProcessCache } from './in-process.ts'
import { openRedisCache } from './redis.ts'
import type { Limit, WindowResult } from './window.ts'

export interface Cache {
  readonly kind: 'in_process' | 'redis'
  get(key: string): Promise<string | undefined>
  getMany(keys: readonly string[]): Promise<(string | undefined)[]>
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Sets only if absent; returns whether it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>
  delete(...keys: string[]): Promise<void>
  /** Takes `cost` from a window, or returns it if negative. Never throws: with the cache down it counts in-process (`degraded: true`). */
  take(key: string, limit: Limit, cost?: number): Promise<TakeResult>
  /** Takes one from each window up to the first that refuses, and reads a key: one round trip. Like `take`, it never throws. */
  admit(windows: readonly KeyedLimit[], read?: string): Promise<Admitted>
  /** Takes from each window up to the first that refuses; if all allow, adds an entry: one round trip. Never throws. All keys of one user. */
  enter(takes: readonly KeyedTake[], entry?: CacheEntry): Promise<Entered>
  /**
   * Takes from a window, as much of the cost as it has, and deletes an entry that still has this value: one round trip. Never throws: with
   * the cache down, the window is counted in-process and the entry expires. All keys of one user.
   */
  leave(take: KeyedTake | undefined, entry?: Pick<CacheEntry, 'key' | 'value'>): Promise<void>
  /** Takes one from the window of an announcement; if allowed, sets its value and adds its mark: one round trip. */
  announce(announcement: Announcement): Promise<Announced>
  /**
   * `admit`, which reads the key of the proof; if all windows allow and the proof holds, also `announce`: one round trip. Never throws.
   * Announces nothing if it failed, or if the keys are on several nodes of a Cluster.
   */
  admitAndAnnounce(windows: readonly KeyedLimit[], proof: Proof, announcement: Announcement): Promise<AdmittedAndAnnounced>
  /** Sets, unless the key has the value `kept`. */
  replaceUnless(kept: string, key: string, value: string, ttlSeconds: number): Promise<void>
  publish(channel: string, message: string): Promise<void>
  /** A listener added while the cache is down receives messages after the next reconnect. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>
  /** Called after each reconnect, so that listeners can tell clients to pull (messages were lost in the meantime). */
  onReconnect(listener: () => void): void
  /** Writes: a cache that only serves reads counts as down. */
  ping(): Promise<void>
  close(): Promise<void>
}

export type TakeResult = WindowResult & { readonly degraded: boolean }

export interface KeyedLimit {
  readonly key: string
  readonly window: Limit
}

export interface Admitted {
  /** In the order of the windows; ends with the first that refused. */
  readonly takes: readonly TakeResult[]
  /** Undefined if there is none, if it was not read, or if the cache is down. */
  readonly value: string | undefined
}

export interface KeyedTake extends KeyedLimit {
  readonly cost: number
}

export interface CacheEntry {
  readonly key: string
  readonly value: string
  readonly seconds: number
}

export interface Entered {
  /** In the order of the windows; ends with the first that refused. */
  readonly takes: readonly TakeResult[]
  /** `taken`: the key has a value. Undefined if no entry was given, a window refused, or the cache is down. */
  readonly entry: 'added' | 'taken' | undefined
}

/** Its three keys belong to one user. */
export interface Announcement {
  readonly limit: KeyedLimit
  readonly key: string
  readonly value: string
  readonly seconds: number
  readonly mark: { readonly key: string; readonly seconds: number }
}

export interface Announced {
  readonly take: TakeResult
  /** There was no value. */
  readonly isNew: boolean
  /** There was no mark. */
  readonly marked: boolean
}

/** Holds if the key has a number above the one and at most the other. */
export interface Proof {
  readonly key: string
  readonly above: number
  readonly most: number
}

export interface AdmittedAndAnnounced extends Admitted {
  /** Undefined if nothing was announced. */
  readonly announced: Announced | undefined
}

export type CacheTarget = { kind: 'in_process' } | RedisTarget

export interface RedisTarget {
  readonly kind: 'redis'
  readonly url: string
  readonly password?: string
  /** The password of the Sentinels, if they have one. */
  readonly sentinel_password?: string
}

export function openCache(target: CacheTarget, log: (line: string) => void): Promise<Cache> {
  return target.kind === 'redis' ? openRedisCache(target, log) : Promise.resolve(openInProcessCache({ log }))
}

export { CacheUnavailable } from './unavailable.ts'
