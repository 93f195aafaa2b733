// The cache in Redis or Valkey: connections for commands, and one for messages. While Redis is down or slow, every call fails immediately.
import { Cluster, type Redis } from 'ioredis'
import type { Admitted, Announced, Announcement, Cache, KeyedLimit, RedisTarget, TakeResult } from './cache.ts'
import { type AnnouncementReply, type Commands, connectCommands, connectSubscriber, type WindowReply } from './connect.ts'
import { resolveCacheConnection } from './connection-options.ts'
import { openInProcessCache, Subscriptions } from './in-process.ts'
import { keyNames } from './keys.ts'
import { isReadOnly, writeProbe } from './probe-write.ts'
import { CacheUnavailable } from './unavailable.ts'
import type { Limit } from './window.ts'

const heartbeatMs = 2_000
const openWithinMs = 5_000
const restartAfterMs = 100

export async function openRedisCache(target: RedisTarget, log: (line: string) => void): Promise<Cache> {
  const place = await resolveCacheConnection(target)
  const names = keyNames({ cluster: place.address.kind === 'cluster' })
  const commands = connectCommands(place)
  const ear = connectSubscriber(place, () => (commands instanceof Cluster ? commands.nodes().map(({ options }) => nodeOf(options)) : []))
  const local = openInProcessCache({ log })
  const subscriptions = new Subscriptions(log)
  const reconnectListeners: (() => void)[] = []
  let closed = false
  /** It is a replica: its data may be outdated, and it accepts no writes. */
  let demoted = false

  ear.on('message', (channel: string, message: string) => subscriptions.deliver(names.channelName(channel), message))
  const close = async (): Promise<void> => {
    closed = true
    clearInterval(heartbeat)
    commands.disconnect()
    ear.disconnect()
    subscriptions.clear()
    await local.close()
  }

  // A dead socket looks alive until something is sent; without a response, socketTimeout closes it and ioredis reconnects.
  // A primary that became a replica still answers reads, so this tests a write.
  const heartbeat = setInterval(() => {
    if (ear.status === 'ready') ear.ping().catch(() => undefined)
    if (commands.status === 'ready') writeProbe(commands, names).then(promoted, onFailure)
  }, heartbeatMs).unref()

  function promoted(): void {
    if (demoted) log('cache: commands are available again')
    demoted = false
  }

  function onFailure(error: unknown): void {
    if (!isReadOnly(error) || closed) return
    if (!demoted) log('cache: commands are not available: it has become a read-only replica')
    demoted = true
    // Sentinels and DNS names may resolve to the new primary by now.
    for (const connection of [commands, ear]) if (connection.status === 'ready') connection.disconnect(true)
  }

  // ioredis closes a connection permanently if the Sentinels report a failover while it asks them for the primary.
  function restart(connection: Commands | Redis): void {
    setTimeout(() => {
      if (!closed) connection.connect().catch(() => undefined) // reported as an outage
    }, restartAfterMs).unref()
  }
  commands.on('end', () => restart(commands))
  ear.on('end', () => restart(ear))

  try {
    await Promise.all([becomeReady(commands), becomeReady(ear)])
  } catch (error) {
    await close()
    throw unavailable(error)
  }

  reportOutages(commands, 'commands', log)
  reportOutages(ear, 'messages', log)
  ear.on('ready', () => {
    hearAgain().catch(() => ear.disconnect(true)) // subscribing failed: reconnect rather than receive nothing
  })

  async function hearAgain(): Promise<void> {
    const channels = subscriptions.channels.map(names.channel)
    // In batches, because each has half a second: a node with many users must not always fail here.
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
    if (demoted) throw new CacheUnavailable('the cache is a read-only replica')
    try {
      return await command()
    } catch (error) {
      onFailure(error)
      throw isBug(error) ? error : unavailable(error)
    }
  }

  async function remove(keys: string[]): Promise<void> {
    if (keys.length > 0) await commands.del(keys)
  }

  async function readMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const full = keys.map(names.key)
    const found: (string | undefined)[] = full.map(() => undefined)
    const read = async (positions: readonly number[]): Promise<void> => {
      const values = await commands.mget(positions.map((position) => full[position] ?? ''))
      for (const [index, position] of positions.entries()) found[position] = values[index] ?? undefined
    }
    await Promise.all(names.together(full).map(read))
    return found
  }

  const windowKey = (key: string) => names.key(`limit:${key}`)

  /** One script; in a Cluster one for each node that has some of the keys. */
  async function admit(limits: readonly KeyedLimit[], read: string | undefined): Promise<Admitted> {
    const keys = [...limits.map(({ key }) => windowKey(key)), ...(read === undefined ? [] : [names.key(read)])]
    let value: string | undefined
    const takes: TakeResult[] = []
    const run = async (positions: readonly number[]): Promise<void> => {
      const windows = positions.flatMap((position) => limits[position] ?? [])
      const [replies, found] = await commands.admitRequest(
        positions.length,
        ...positions.map((position) => keys[position] ?? ''),
        ...windows.flatMap(({ window }) => [window.points, window.seconds]),
      )
      for (const [index, { window }] of windows.entries()) {
        const reply = replies[index]
        if (reply) takes.push(takeResult(window, reply))
      }
      if (positions.at(-1) === limits.length && found !== '') value = found
    }
    await Promise.all(names.together(keys).map(run))
    return { takes, value }
  }

  /** The outage is logged where the connection breaks. */
  function reportBug(what: string, error: unknown): void {
    if (!(error instanceof CacheUnavailable)) log(`cache: ${what} failed: ${error instanceof Error ? error.message : String(error)}`)
  }

  function announcementParts({ limit, key, value, seconds, mark }: Announcement): [keys: string[], values: (string | number)[]] {
    return [
      [windowKey(limit.key), names.key(key), names.key(mark.key)],
      [limit.window.points, limit.window.seconds, value, milliseconds(seconds), milliseconds(mark.seconds)],
    ]
  }

  const cache: Cache = {
    kind: 'redis',
    get: (key) => ask(async () => (await commands.get(names.key(key))) ?? undefined),
    getMany: (keys) => ask(async () => (keys.length === 0 ? [] : await readMany(keys))),
    set: (key, value, ttlSeconds) =>
      ask(async () => {
        await commands.set(names.key(key), value, 'PX', milliseconds(ttlSeconds))
      }),
    add: (key, value, ttlSeconds) =>
      ask(async () => (await commands.set(names.key(key), value, 'PX', milliseconds(ttlSeconds), 'NX')) === 'OK'),
    delete: (...keys) =>
      ask(async () => {
        const full = keys.map(names.key)
        await Promise.all(names.together(full).map((positions) => remove(positions.map((position) => full[position] ?? ''))))
      }),
    async take(key, limit, cost = 1) {
      try {
        const reply = await ask(() => commands.takeFromWindow(windowKey(key), limit.points, limit.seconds, cost))
        return takeResult(limit, reply)
      } catch (error) {
        reportBug('take', error)
        // A limit per process is better than no limit or no service.
        return { ...(await local.take(key, limit, cost)), degraded: true }
      }
    },
    async admit(limits, read) {
      try {
        return await ask(() => admit(limits, read))
      } catch (error) {
        reportBug('admit', error)
        const { takes } = await local.admit(limits)
        return { takes: takes.map((take) => ({ ...take, degraded: true })), value: undefined }
      }
    },
    async enter(wanted, entry) {
      try {
        const [replies, added] = await ask(() =>
          commands.enterCall(
            wanted.length + (entry ? 1 : 0),
            ...wanted.map(({ key }) => windowKey(key)),
            ...(entry ? [names.key(entry.key)] : []),
            wanted.length,
            ...wanted.flatMap(({ window, cost }) => [window.points, window.seconds, cost]),
            ...(entry ? [entry.value, milliseconds(entry.seconds)] : []),
          ),
        )
        const takes = wanted.flatMap(({ window }, index) => takeResultOf(window, replies[index]))
        const refused = takes.at(-1)?.allowed === false
        return { takes, entry: !entry || refused ? undefined : added === 1 ? 'added' : 'taken' }
      } catch (error) {
        reportBug('enter', error)
        const { takes } = await local.enter(wanted)
        return { takes: takes.map((take) => ({ ...take, degraded: true })), entry: undefined }
      }
    },
    async leave(take, entry) {
      if (!take && !entry) return
      try {
        await ask(() =>
          commands.leaveCall(
            (take ? 1 : 0) + (entry ? 1 : 0),
            ...(take ? [windowKey(take.key)] : []),
            ...(entry ? [names.key(entry.key)] : []),
            ...(take ? [take.window.points, take.window.seconds, take.cost] : []),
            ...(entry ? [entry.value] : []),
          ),
        )
      } catch (error) {
        reportBug('leave', error)
        await local.leave(take)
      }
    },
    announce: (announcement) =>
      ask(async () => {
        const [keys, values] = announcementParts(announcement)
        return announcedOf(announcement, await commands.announceValue(...keys, ...values))
      }),
    async admitAndAnnounce(limits, proof, announcement) {
      const [announcedKeys, values] = announcementParts(announcement)
      const keys = [...announcedKeys, names.key(proof.key), ...limits.map(({ key }) => windowKey(key))]
      // In a Cluster, addresses and users are on different nodes.
      if (names.together(keys).length > 1) return { ...(await cache.admit(limits, proof.key)), announced: undefined }
      try {
        const [replies, value, announced] = await ask(() =>
          commands.admitAndAnnounce(
            keys.length,
            ...keys,
            ...values,
            ...[proof.above, proof.most],
            ...limits.flatMap(({ window }) => [window.points, window.seconds]),
          ),
        )
        const takes = limits.flatMap(({ window }, index) => takeResultOf(window, replies[index]))
        return {
          ...{ takes, value: value === '' ? undefined : value },
          announced: announced && announcedOf(announcement, announced),
        }
      } catch (error) {
        reportBug('admitAndAnnounce', error)
        // Redis may still run it, and the mark would promise a write that no one makes.
        ask(() => remove([names.key(announcement.mark.key)])).catch(() => undefined)
        const { takes } = await local.admit(limits)
        return { takes: takes.map((take) => ({ ...take, degraded: true })), value: undefined, announced: undefined }
      }
    },
    replaceUnless: (kept, key, value, ttlSeconds) =>
      ask(async () => {
        await commands.replaceUnless(names.key(key), value, milliseconds(ttlSeconds), kept)
      }),
    publish: (channel, message) =>
      ask(async () => {
        await commands.publish(names.channel(channel), message)
      }),
    async subscribe(channel, listener) {
      if (closed) throw new CacheUnavailable('the cache is closed')
      subscriptions.add(channel, listener)
      // Always sent, even if already subscribed: Redis answers in order, so the answer means that the subscription is active.
      if (ear.status === 'ready') await ear.subscribe(names.channel(channel)).catch(() => ear.disconnect(true))
      return async () => {
        if (!subscriptions.remove(channel, listener) || ear.status !== 'ready') return
        await ear.unsubscribe(names.channel(channel)).catch(() => ear.disconnect(true))
      }
    },
    onReconnect(listener) {
      reconnectListeners.push(listener)
    },
    ping: () => ask(() => writeProbe(commands, names)),
    close,
  }
  return cache
}

async function becomeReady(connection: Commands | Redis): Promise<void> {
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

/** Two log lines per outage, regardless of the number of attempts. A connection that we close is not retried, so it is not an outage. */
function reportOutages(connection: Commands | Redis, what: string, log: (line: string) => void): void {
  let reason = 'the connection was closed'
  let down = false
  connection.on('error', (error: Error) => {
    reason = error.message
  })
  connection.on('reconnecting', () => {
    if (!down) log(`cache: ${what} are not available: ${reason}`)
    down = true
  })
  connection.on('ready', () => {
    if (down) log(`cache: ${what} are available again`)
    down = false
    reason = 'the connection was closed'
  })
}

/** A wrong command or type is our bug; every other error (loading, read-only, out of memory, wrong password) is a state of the cache. */
function isBug(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && /^(ERR|WRONGTYPE)\b/.test(error.message)
}

function unavailable(cause: unknown): CacheUnavailable {
  return new CacheUnavailable(`the cache cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
}

function takeResult(limit: Limit, [allowed, remaining, reset_seconds]: WindowReply): TakeResult {
  return { allowed: allowed === 1, limit: limit.points, remaining, reset_seconds, degraded: false }
}

function takeResultOf(limit: Limit, reply: WindowReply | undefined): TakeResult[] {
  return reply ? [takeResult(limit, reply)] : []
}

function announcedOf({ limit }: Announcement, [reply, isNew, marked]: AnnouncementReply): Announced {
  return { take: takeResult(limit.window, reply), isNew: isNew === 1, marked: marked === 1 }
}

function milliseconds(ttlSeconds: number): number {
  return Math.max(1, Math.round(ttlSeconds * 1000))
}

function nodeOf({ host = '', port = 0 }: { host?: string | undefined; port?: number | undefined }): { host: string; port: number } {
  return { host, port }
}
