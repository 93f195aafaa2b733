import Type, { type Static } from 'typebox'
import { Count, Key, object, oneOf, Timestamp } from '../shape.ts'
import { SandboxMode } from '../tool/schema.ts'
import { devicePlatforms, presences } from './index.ts'

export const DevicePlatform = oneOf(devicePlatforms)
export const Presence = oneOf(presences)
export const DeviceName = Type.String({ minLength: 1, maxLength: 100 })
export const AppVersion = Type.String({ minLength: 1, maxLength: 50, pattern: '^[0-9A-Za-z.+-]+$' })

/** How far a device is behind: what it has not pushed, and when it last pushed and pulled. */
export const SyncLag = object({
  pending_changes: Count,
  quarantined_changes: Type.Optional(Count),
  last_push_ts: Type.Optional(Timestamp),
  last_pull_ts: Type.Optional(Timestamp),
})

const vitals = {
  app_version: AppVersion,
  sandbox_mode: SandboxMode,
  running_runs: Count,
  paused_runs: Count,
  sync_lag: SyncLag,
}

export const Heartbeat = object({ device_id: Key, ...vitals })
export type Heartbeat = Static<typeof Heartbeat>

export const HeartbeatReply = object({
  server_ts: Timestamp,
  next_in_seconds: Type.Integer({ minimum: 1, maximum: 3_600, description: 'When the next heartbeat is expected' }),
})
export type HeartbeatReply = Static<typeof HeartbeatReply>

/** Registering a device again renames it. */
export const DeviceRegistration = object({ device_id: Key, name: DeviceName, platform: DevicePlatform, app_version: AppVersion })
export type DeviceRegistration = Static<typeof DeviceRegistration>

/** A device first seen by its push has not reported its `platform` and `app_version`: they come with its registration or heartbeat. */
export const Device = object({
  device_id: Key,
  name: DeviceName,
  platform: Type.Optional(DevicePlatform),
  app_version: Type.Optional(AppVersion),
  presence: Presence,
  created_at: Timestamp,
  last_seen_at: Timestamp,
  last_heartbeat: Type.Optional(object({ ts: Timestamp, ...vitals })),
})
export type Device = Static<typeof Device>
