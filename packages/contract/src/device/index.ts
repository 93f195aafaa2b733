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
