// The embedded cache: one process, bounded memory, lost on restart.
import type { Admitted, Announced, Announcement, Cache, KeyedLimit, KeyedTake, TakeResult } from './cache.ts'
import { CacheUnavailable } from './unavailable.ts'
import { type Limit, takeFromWindow } from './window.ts'

export interface CacheClock {
  now(): number
  /** Runs `run` every `ms` until the returned function is called; must not keep the process alive. */
  every(ms: number, run: () => void): () => void
}

export interface InProcessOptions {
  readonly log: (line: string) => void
  readonly clock?: CacheClock
  /** The maximum number of values, and of rate-limit windows; beyond it the oldest is evicted. */
  readonly maxKeys?: number
}

export function openInProcessCache({ log, clock = systemClock, maxKeys = 100_000 }: InProcessOptions): Cache & { readonly size: number } {
  const values = expiringMap<string>(clock, maxKeys)
  const windows = expiringMap<number>(clock, maxKeys)
  const subscriptions = new Subscriptions(log)
  const stopSweeping = clock.every(30_000, () => {
    values.sweep()
    windows.sweep()
  })
  let open = true
  const demandOpen = (): void => {
    if (!open) throw new CacheUnavailable('the cache is closed')
  }

  function take(key: string, limit: Limit, cost: number): TakeResult {
    const now = clock.now()
    const stored = windows.get(key, now) ?? now
    const [taken, full_at] = takeFromWindow(stored, now, limit, cost)
    // Below the stored value only if the clock was set back: stored even if refused, or it would be refused until the clock caught up.
    if (cost !== 0 && (taken.allowed || full_at < stored)) windows.set(key, full_at, full_at - now, now)
    return { ...taken, degraded: false }
  }

  /** Up to the first that refuses. */
  function takeAll(takes: readonly KeyedTake[]): TakeResult[] {
    const results: TakeResult[] = []
    for (const { key, window, cost } of takes) {
      const result = take(key, window, cost)
      results.push(result)
      if (!result.allowed) break
    }
    return results
  }

  function admit(limits: readonly KeyedLimit[], read: string | undefined): Admitted {
    const takes: TakeResult[] = []
    for (const { key, window } of limits) {
      const result = take(key, window, 1)
      takes.push(result)
      if (!result.allowed) return { takes, value: undefined }
    }
    return { takes, value: read === undefined || !open ? undefined : values.get(read) }
  }

  function announce({ limit, key, value, seconds, mark }: Announcement): Announced {
    const result = take(limit.key, limit.window, 1)
    if (!result.allowed) return { take: result, isNew: false, marked: false }
    const isNew = values.get(key) === undefined
    values.set(key, value, seconds * 1000)
    return { take: result, isNew, marked: add(mark.key, '1', mark.seconds) }
  }

  function add(key: string, value: string, ttlSeconds: number): boolean {
    if (values.get(key) !== undefined) return false
    values.set(key, value, ttlSeconds * 1000)
    return true
  }

  return {
    kind: 'in_process',
    get size() {
      return values.size + windows.size
    },
    async get(key) {
      demandOpen()
      return values.get(key)
    },
    async getMany(keys) {
      demandOpen()
      return keys.map((key) => values.get(key))
    },
    async set(key, value, ttlSeconds) {
      demandOpen()
      values.set(key, value, ttlSeconds * 1000)
    },
    async add(key, value, ttlSeconds) {
      demandOpen()
      return add(key, value, ttlSeconds)
    },
    async delete(...keys) {
      demandOpen()
      for (const key of keys) values.delete(key)
    },
    take: async (key, limit, cost = 1) => take(key, limit, cost),
    admit: async (limits, read) => admit(limits, read),
    async enter(wanted, entry) {
      const takes = takeAll(wanted)
      if (!entry || !open || takes.at(-1)?.allowed === false) return { takes, entry: undefined }
      return { takes, entry: add(entry.key, entry.value, entry.seconds) ? 'added' : 'taken' }
    },
    async leave(charge, entry) {
      if (charge) {
        const { allowed, remaining } = take(charge.key, charge.window, charge.cost)
        if (!allowed && remaining > 0) take(charge.key, charge.window, Math.min(charge.cost, remaining))
      }
      if (entry && open && values.get(entry.key) === entry.value) values.delete(entry.key)
    },
    async announce(announcement) {
      demandOpen()
      return announce(announcement)
    },
    async admitAndAnnounce(limits, { key, above, most }, announcement) {
      const admitted = admit(limits, key)
      const proof = Number(admitted.value ?? Number.NaN)
      return { ...admitted, announced: proof > above && proof <= most ? announce(announcement) : undefined }
    },
    async replaceUnless(kept, key, value, ttlSeconds) {
      demandOpen()
      if (values.get(key) !== kept) values.set(key, value, ttlSeconds * 1000)
    },
    async publish(channel, message) {
      demandOpen()
      // Asynchronous, as over a network: a listener never runs inside its publisher.
      setImmediate(() => subscriptions.deliver(channel, message))
    },
    async subscribe(channel, listener) {
      demandOpen()
      subscriptions.add(channel, listener)
      return async () => {
        subscriptions.remove(channel, listener)
      }
    },
    onReconnect() {
      // There is no connection to lose.
    },
    async ping() {
      demandOpen()
    },
    async close() {
      open = false
      stopSweeping()
      subscriptions.clear()
    },
  }
}

const systemClock: CacheClock = {
  now: Date.now,
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

function expiringMap<V>(clock: CacheClock, maxKeys: number) {
  const entries = new Map<string, { value: V; expires: number }>()
  const sweep = (): void => {
    const now = clock.now()
    for (const [key, entry] of entries) if (entry.expires <= now) entries.delete(key)
  }
  return {
    sweep,
    get size() {
      return entries.size
    },
    get(key: string, now = clock.now()): V | undefined {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.expires > now) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key: string, value: V, ttl: number, now = clock.now()): void {
      entries.delete(key) // so that a written key is the newest again
      entries.set(key, { value, expires: now + ttl })
      if (entries.size <= maxKeys) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    },
    delete(key: string): void {
      entries.delete(key)
    },
  }
}

/** The listeners of each channel in this process; the Redis cache uses it too. */
export class Subscriptions {
  readonly #channels = new Map<string, Set<(message: string) => void>>()
  readonly #log: (line: string) => void

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  get channels(): string[] {
    return [...this.#channels.keys()]
  }

  /** Returns whether it is the first of the channel. A listener counts once. */
  add(channel: string, listener: (message: string) => void): boolean {
    const listeners = this.#channels.get(channel)
    if (listeners) {
      listeners.add(listener)
      return false
    }
    this.#channels.set(channel, new Set([listener]))
    return true
  }

  /** Returns whether it was the last of the channel. */
  remove(channel: string, listener: (message: string) => void): boolean {
    const listeners = this.#channels.get(channel)
    if (!listeners?.delete(listener) || listeners.size > 0) return false
    return this.#channels.delete(channel)
  }

  deliver(channel: string, message: string): void {
    for (const listener of [...(this.#channels.get(channel) ?? [])]) {
      try {
        listener(message)
      } catch (error) {
        // An error in one listener must not prevent delivery to the others.
        this.#log(`cache: a listener of ${channel} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  clear(): void {
    this.#channels.clear()
  }
}
