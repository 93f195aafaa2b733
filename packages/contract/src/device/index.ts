import { limits } from '../limits/index.ts'

export type { Device, DeviceRegistration, Heartbeat, HeartbeatReply } from './schema.ts'

export const devicePlatforms = ['linux', 'macos', 'windows'] as const
export type DevicePlatform = (typeof devicePlatforms)[number]

export const presences = ['online', 'offline'] as const
export type Presence = (typeof presences)[number]

/** A device is online if its last heartbeat is more recent than `limits.presence_seconds`. */
export function presenceAt(lastSeenAt: string, now: string): Presence {
  return Date.parse(now) - Date.parse(lastSeenAt) < limits.presence_seconds * 1_000 ? 'online' : 'offline'
}

interface NamedDevice {
  readonly device_id: string
  readonly name: string
}

/** The shortest end of an ID that is shown. */
const shortestEnd = 4

/** The names by which users tell devices apart: those that look alike get the end of their ID. */
export function distinctDeviceNames(devices: readonly NamedDevice[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(devices, ({ name }) => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase())
  return new Map([...groups.values()].flatMap(namedApart))
}

function namedApart(alike: readonly NamedDevice[]): readonly (readonly [string, string])[] {
  if (alike.length === 1) return alike.map(({ device_id, name }) => [device_id, name])
  const longest = Math.max(...alike.map(({ device_id }) => device_id.length))
  let length = shortestEnd
  while (length < longest && new Set(alike.map(({ device_id }) => device_id.slice(-length))).size < alike.length) length += 1
  return alike.map(({ device_id, name }) => [device_id, `${name} (${device_id.slice(-length)})`])
}
