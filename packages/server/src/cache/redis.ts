// The cache in Redis or Valkey: one connection for commands, one that listens. While Redis is down or slow every call fails at once.
import { Redis, type RedisOptions, type Result } from 'ioredis'
import type { Cache, RedisTarget } from './cache.ts'
import { openInProcessCache } from './in-process.ts'
import { type CachePlace, findPlace } from './place.ts'
import { takeScript } from './redis-take.ts'
import { Subscriptions } from './subscriptions.ts'
import { CacheUnavailable } from './unavailable.ts'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromWindow(key: string, points: number, seconds: number, cost: number): Result<[number, number, number], Context>
  }
}

/** A Redis may be shared: everything of ours stands under this. */
const prefix = 'tandem:'
const heartbeatMs = 2_000
const openWithinMs = 5_000

export async function openRedisCache(target: RedisTarget, log: (line: string) => void): Promise<Cache> {
  const place = await findPlace(target)
  const commands = connect(place, {
    enableAutoPipelining: true,
    connectionName: 'tandem',
    scripts: { takeFromWindow: { lua: takeScript, numberOfKeys: 1 } },
  })
  const ear = connect(place, { autoResubscribe: false, connectionName: 'tandem-ear' })
  const local = openInProcessCache({ log })
  const subscriptions = new Subscriptions(log)
  const reconnectListeners: (() => void)[] = []
  let closed = false

  ear.on('message', (channel: string, message: string) => subscriptions.deliver(channel.slice(prefix.length), message))
  const close = async (): Promise<void> => {
    closed = true
    clearInterval(heartbeat)
    commands.disconnect()
    ear.disconnect()
    subscriptions.clear()
    await local.close()
  }

  // A socket whose other end vanished looks alive until something is asked of it; unanswered, socketTimeout ends it and ioredis reconnects.
  const heartbeat = setInterval(() => {
    for (const connection of [commands, ear]) if (connection.status === 'ready') connection.ping().catch(() => undefined)
  }, heartbeatMs).unref()

  try {
    await Promise.all([becomeReady(commands), becomeReady(ear)])
  } catch (error) {
    await close()
    throw unavailable(error)
  }

  reportOutages(commands, 'commands', log)
  reportOutages(ear, 'messages', log)
  ear.on('ready', () => {
    hearAgain().catch(() => ear.disconnect(true)) // not heard means not connected: start over rather than listen to nothing
  })

  async function hearAgain(): Promise<void> {
    const channels = subscriptions.channels.map((channel) => prefix + channel)
    // In batches, for each has half a second: a node with many users must not fail at this for ever.
    for (let at = 0; at < channels.length; at += 1000) await ear.subscribe(...channels.slice(at, at + 1000))
    for (const listener of reconnectListeners) tell(listener)
  }

  function tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      log(`cache: a listener for reconnects failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function ask<T>(command: () => Promise<T>): Promise<T> {
    if (closed) throw new CacheUnavailable('the cache is closed')
    try {
      return await command()
    } catch (error) {
      throw isBug(error) ? error : unavailable(error)
    }
  }

  return {
    kind: 'redis',
    get: (key) => ask(async () => (await commands.get(prefix + key)) ?? undefined),
    getMany: (keys) =>
      ask(async () => (keys.length === 0 ? [] : (await commands.mget(keys.map((key) => prefix + key))).map((value) => value ?? undefined))),
    set: (key, value, ttlSeconds) =>
      ask(async () => {
        await commands.set(prefix + key, value, 'PX', milliseconds(ttlSeconds))
      }),
    add: (key, value, ttlSeconds) =>
      ask(async () => (await commands.set(prefix + key, value, 'PX', milliseconds(ttlSeconds), 'NX')) === 'OK'),
    delete: (...keys) =>
      ask(async () => {
        if (keys.length > 0) await commands.del(keys.map((key) => prefix + key))
      }),
    async take(key, limit, cost = 1) {
      try {
        const [allowed, remaining, reset_seconds] = await ask(() =>
          commands.takeFromWindow(`${prefix}limit:${key}`, limit.points, limit.seconds, cost),
        )
        return { allowed: allowed === 1, limit: limit.points, remaining, reset_seconds, degraded: false }
      } catch (error) {
        // The outage itself is logged where the connection breaks.
        if (!(error instanceof CacheUnavailable)) log(`cache: take failed: ${error instanceof Error ? error.message : String(error)}`)
        // A limit that only this process keeps is better than none, or than no service.
        return { ...(await local.take(key, limit, cost)), degraded: true }
      }
    },
    publish: (channel, message) =>
      ask(async () => {
        await commands.publish(prefix + channel, message)
      }),
    async subscribe(channel, listener) {
      if (closed) throw new CacheUnavailable('the cache is closed')
      subscriptions.add(channel, listener)
      // Always asked, also for a channel already heard: Redis answers in order, so the answer means that the channel is heard from now on.
      if (ear.status === 'ready') await ear.subscribe(prefix + channel).catch(() => ear.disconnect(true))
      return async () => {
        if (!subscriptions.remove(channel, listener) || ear.status !== 'ready') return
        await ear.unsubscribe(prefix + channel).catch(() => ear.disconnect(true))
      }
    },
    onReconnect(listener) {
      reconnectListeners.push(listener)
    },
    ping: () =>
      ask(async () => {
        await commands.ping()
      }),
    close,
  }
}

/** Also used by the probe. Nothing is queued, sent twice or waited for longer than half a second. */
export function connect(place: CachePlace, options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const { host, port, user, database, password, tls } = place
  return new Redis({
    ...{ host, port, db: database },
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 500,
    // Slow is worse than down: what does not answer is hung up on, and until it is back calls fail without waiting.
    socketTimeout: 700,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), 2_000) * (0.75 + Math.random() / 2),
    ...options,
  })
}

async function becomeReady(connection: Redis): Promise<void> {
  const late = AbortSignal.timeout(openWithinMs)
  let lastError: unknown = new Error(`no answer within ${openWithinMs} ms`)
  const remember = (error: unknown): void => {
    lastError = error
  }
  connection.on('error', remember)
  await new Promise<void>((resolve, reject) => {
    connection.once('ready', resolve)
    late.addEventListener('abort', () => reject(lastError), { once: true })
    connection.connect().catch(remember)
  }).finally(() => connection.off('error', remember))
}

/** Two lines an outage, however many attempts it takes. A connection that we close ourselves does not try again, so it is none. */
function reportOutages(connection: Redis, what: string, log: (line: string) => void): void {
  let reason = 'the connection was closed'
  let down = false
  connection.on('error', (error: Error) => {
    reason = error.message
  })
  connection.on('reconnecting', () => {
    if (!down) log(`cache: ${what} lost: ${reason}`)
    down = true
  })
  connection.on('ready', () => {
    if (down) log(`cache: ${what} back`)
    down = false
    reason = 'the connection was closed'
  })
}

/** A wrong command or a wrong type is ours; every other refusal (loading, read-only, out of memory, no such password) is the cache's state. */
function isBug(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && /^(ERR|WRONGTYPE)\b/.test(error.message)
}

function unavailable(cause: unknown): CacheUnavailable {
  return new CacheUnavailable(`the cache can't be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

function milliseconds(ttlSeconds: number): number {
  return Math.max(1, Math.round(ttlSeconds * 1000))
}
