// Heartbeats. Thousands per second must not cause as many writes, and no statement may touch two users, so:
// - while a device is online, its last heartbeat is in the cache, where it expires if the device is silent for too long;
// - PostgreSQL gets one when the device is new, then at most one in ten minutes (marked in the cache, shared by all nodes),
//   and the last one when the device goes silent or this node shuts down: one statement per user;
// - the node that received a heartbeat watches that device. Silent means that it expired in the cache, so a device that moved to
//   another node is not reported; of several nodes that detect it, the one that adds a mark reports it.
// If a node is killed, its watches are lost: no hint is sent then, but the list is still correct, and a node that served
// a list keeps watching its devices for an hour.
import type { Heartbeat } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import { type Announced, type Announcement, CacheUnavailable, type KeyedLimit, type TakeResult } from '../cache/cache.ts'
import type { Services } from '../services.ts'
import { type LastHeartbeat, writeHeartbeat, writeLastHeartbeats } from './store.ts'

export interface Heartbeats {
  /** Returns the server's time. Throws what `guard` throws. */
  record(userId: string, heartbeat: Heartbeat, guard?: HeartbeatGuard): Promise<string>
  /** Those of `deviceIds` that are online; while the cache is down, those that this node received heartbeats from. */
  alive(userId: string, deviceIds: readonly string[]): Promise<Map<string, LastHeartbeat>>
  /** The device was removed: deletes everything about it. */
  forget(userId: string, deviceId: string): Promise<void>
  /** Finds the devices that went silent; runs every few seconds. */
  sweep(): Promise<void>
  /** Stops watching and writes what PostgreSQL does not have yet. */
  close(): Promise<void>
}

export interface HeartbeatGuard {
  readonly limit: KeyedLimit
  /** What was announced already, with its time. */
  readonly announced?: { readonly time: number; readonly result: Announced } | undefined
  judge(take: TakeResult): void
  /** Called before a heartbeat is stored, which may register its device. */
  beforeWrite(): Promise<void>
}

/** For callers that have their own limits. */
const noGuard = (key: string): HeartbeatGuard => ({
  limit: { key: `heartbeat:${key}`, window: { points: 1_000_000, seconds: 1 } },
  judge: () => undefined,
  beforeWrite: async () => undefined,
})

type Ground = Pick<Services, 'cache' | 'database' | 'hub' | 'now' | 'log'>

interface Watched {
  readonly user_id: string
  readonly device_id: string
  heartbeat: LastHeartbeat
  /** When this node last wrote to PostgreSQL; 0 is never. */
  written_at: number
  /** Watched until then, even though another node receives its heartbeats now. */
  until: number
}

const presenceMs = limits.presence_seconds * 1_000
/** The clock of the cache differs from ours: it is queried shortly after the time is up. */
const graceMs = 1_000
const writeSeconds = 600
const sweepMs = 5_000
const listedMs = 3_600_000
const keysAtOnce = 500
const usersAtOnce = 4

export function openHeartbeats({ cache, database, hub, now, log }: Ground): Heartbeats {
  const watch = new Map<string, Watched>()
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => log.error({ err: error }, 'checking for inactive devices failed'))
      .finally(() => {
        sweeping = undefined
      })
  }, sweepMs).unref()

  async function record(
    userId: string,
    { device_id, ...vitals }: Heartbeat,
    guard: HeartbeatGuard = noGuard(keyOf(userId, device_id)),
  ): Promise<string> {
    const time = guard.announced?.time ?? now()
    const heartbeat = at(time, vitals)
    const key = keyOf(userId, device_id)
    const watched = watch.get(key)
    const { wasSilent, due, take } = guard.announced
      ? marked(guard.announced.result)
      : await mark(key, heartbeat, guard.limit, watched, time)
    guard.judge(take)
    if (due) {
      try {
        await guard.beforeWrite()
        await database.asUser(userId, (sql) => writeHeartbeat(sql, userId, device_id, heartbeat))
      } catch (error) {
        // The next heartbeat starts over; this failure is reported, not a second one of the cache.
        await cache.delete(writtenKey(key), ...(wasSilent ? [presenceKey(key)] : [])).catch(() => undefined)
        throw error
      }
    }
    watch.set(key, {
      user_id: userId,
      device_id,
      heartbeat,
      written_at: due ? time : (watched?.written_at ?? 0),
      until: watched?.until ?? 0,
    })
    if (wasSilent) hub.tell(userId, { type: 'device.presence', device_id, presence: 'online', ts: heartbeat.ts })
    return heartbeat.ts
  }

  /** One round trip. Nothing is marked if the limit refuses it. */
  async function mark(key: string, heartbeat: LastHeartbeat, limit: KeyedLimit, watched: Watched | undefined, time: number) {
    try {
      return marked(await cache.announce(announcement(key, heartbeat, limit)))
    } catch (error) {
      if (!(error instanceof CacheUnavailable)) throw error
      // Without the cache, each node uses what it received itself.
      return {
        wasSilent: !watched || time - Date.parse(watched.heartbeat.ts) >= presenceMs,
        due: !watched || time - watched.written_at >= writeSeconds * 1_000,
        take: await cache.take(limit.key, limit.window),
      }
    }
  }

  async function alive(userId: string, deviceIds: readonly string[]): Promise<Map<string, LastHeartbeat>> {
    const values = await ask(deviceIds.map((id) => presenceKey(keyOf(userId, id))))
    const found = new Map<string, LastHeartbeat>()
    for (const [index, device_id] of deviceIds.entries()) {
      const key = keyOf(userId, device_id)
      const watched = watch.get(key)
      const value = values?.[index]
      const heartbeat = values
        ? value && parseHeartbeat(value)
        : watched && now() - Date.parse(watched.heartbeat.ts) < presenceMs && watched.heartbeat
      if (!heartbeat) continue
      found.set(device_id, heartbeat)
      // Clients that saw it online must be notified of its end, even if the node that receives its heartbeats is gone by then.
      const until = now() + listedMs
      if (watched) watched.until = until
      else watch.set(key, { user_id: userId, device_id, heartbeat, written_at: 0, until })
    }
    return found
  }

  /** Undefined while the cache is down. */
  async function ask(keys: readonly string[]): Promise<(string | undefined)[] | undefined> {
    try {
      return await cache.getMany(keys)
    } catch (error) {
      if (error instanceof CacheUnavailable) return undefined
      throw error
    }
  }

  async function forget(userId: string, deviceId: string): Promise<void> {
    const key = keyOf(userId, deviceId)
    watch.delete(key)
    await cache.delete(presenceKey(key), writtenKey(key)).catch((error: unknown) => {
      // A cache that is down expires it within the lifetime of a presence.
      if (!(error instanceof CacheUnavailable)) throw error
    })
    hub.tell(userId, { type: 'device.presence', device_id: deviceId, presence: 'offline', ts: new Date(now()).toISOString() })
  }

  async function sweep(): Promise<void> {
    const latest = now() - presenceMs - graceMs
    const due = [...watch].filter(([, watched]) => Date.parse(watched.heartbeat.ts) <= latest)
    for (let start = 0; start < due.length; start += keysAtOnce) await look(due.slice(start, start + keysAtOnce))
  }

  async function look(due: readonly [string, Watched][]): Promise<void> {
    const values = await ask(due.map(([key]) => presenceKey(key)))
    // No device can be reported as silent now; the next sweep checks again.
    if (!values) return
    const silent: Watched[] = []
    for (const [index, [key, watched]] of due.entries()) {
      const value = values[index]
      if (watch.get(key) !== watched) continue
      if (value === undefined) silent.push(watched)
      else goOn(key, watched, parseHeartbeat(value))
    }
    await eachUser(silent, async (userId, devices) => {
      const present = new Set(await database.asUser(userId, (sql) => writeLastHeartbeats(sql, userId, devices)))
      for (const device of devices) await tellSilent(device, present.has(device.device_id))
    })
  }

  /** Another node has received a heartbeat since. */
  function goOn(key: string, watched: Watched, heartbeat: LastHeartbeat): void {
    if (heartbeat.ts <= watched.heartbeat.ts) return
    if (watched.until <= now()) watch.delete(key)
    else watched.heartbeat = heartbeat
  }

  async function tellSilent(watched: Watched, exists: boolean): Promise<void> {
    const key = keyOf(watched.user_id, watched.device_id)
    // It may have come back during the query.
    if (watch.get(key) !== watched) return
    watch.delete(key)
    if (!exists || !(await cache.add(silentKey(key), '1', limits.presence_seconds / 2).catch(() => true))) return
    const { user_id, device_id } = watched
    hub.tell(user_id, { type: 'device.presence', device_id, presence: 'offline', ts: new Date(now()).toISOString() })
  }

  async function close(): Promise<void> {
    clearInterval(timer)
    await sweeping
    const unwritten = [...watch.values()].filter((watched) => watched.written_at < Date.parse(watched.heartbeat.ts))
    watch.clear()
    await eachUser(unwritten, async (userId, devices) => {
      await database.asUser(userId, (sql) => writeLastHeartbeats(sql, userId, devices))
    })
  }

  /** A few users at a time. Failures are logged and, if the device is still watched, retried. */
  async function eachUser(devices: readonly Watched[], work: (userId: string, devices: Watched[]) => Promise<void>): Promise<void> {
    const users = Map.groupBy(devices, (device) => device.user_id).entries()
    const worker = async (): Promise<void> => {
      for (const [userId, own] of users) {
        await work(userId, own).catch((error: unknown) =>
          log.warn({ err: error, user_id: userId }, 'the last heartbeats could not be written'),
        )
      }
    }
    await Promise.all(Array.from({ length: usersAtOnce }, worker))
  }

  return { record, alive, forget, sweep, close }
}

/** What `record` announces, for a caller that does it together with something else. */
export function heartbeatAnnouncement(userId: string, { device_id, ...vitals }: Heartbeat, limit: KeyedLimit, time: number): Announcement {
  return announcement(keyOf(userId, device_id), at(time, vitals), limit)
}

function announcement(key: string, heartbeat: LastHeartbeat, limit: KeyedLimit): Announcement {
  return {
    limit,
    ...{ key: presenceKey(key), value: JSON.stringify(heartbeat), seconds: limits.presence_seconds },
    mark: { key: writtenKey(key), seconds: writeSeconds },
  }
}

function marked({ take, isNew, marked }: Announced): { wasSilent: boolean; due: boolean; take: TakeResult } {
  return { wasSilent: isNew, due: marked, take }
}

function at(time: number, vitals: Omit<Heartbeat, 'device_id'>): LastHeartbeat {
  return { ts: new Date(time).toISOString(), ...vitals }
}

/** All user ids have the same length: no two pairs share a key. */
function keyOf(userId: string, deviceId: string): string {
  return `${userId}:${deviceId}`
}

const presenceKey = (key: string): string => `presence:${key}`
const writtenKey = (key: string): string => `heartbeat-written:${key}`
const silentKey = (key: string): string => `presence-ended:${key}`

function parseHeartbeat(text: string): LastHeartbeat {
  return JSON.parse(text)
}
