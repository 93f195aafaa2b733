import type { Device, DevicePlatform, DeviceRegistration, Heartbeat } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import type { TransactionSql } from 'postgres'
import { type Refusal, refuse } from '../http/refusal.ts'

type Vitals = Omit<Heartbeat, 'device_id'>
export type LastHeartbeat = NonNullable<Device['last_heartbeat']>
/** A device as stored in PostgreSQL; only the cache knows whether it is online. */
export type StoredDevice = Omit<Device, 'presence'>

/** What a push needs of devices: a condition within its own statement, and a registration if that is false. */
export const pushDevices = {
  isKnown: (sql: TransactionSql, userId: string, deviceId: string) =>
    sql`exists (select from tandem.devices where user_id = ${userId} and device_id = ${deviceId})`,
  register: ensureDevice,
}

/** An unnamed device gets its id as its name. Changes nothing if the device is known; refuses it if the limit is reached. */
export async function ensureDevice(sql: TransactionSql, userId: string, deviceId: string): Promise<void> {
  if (await hasPlace(sql, userId, deviceId)) return
  await sql`
    insert into tandem.devices (user_id, device_id, name) values (${userId}, ${deviceId}, ${nameOf(deviceId)})
    on conflict do nothing`
}

/** Whether the device is known. A new one is refused if the account has reached its limit; of two at once, the second counts the first. */
async function hasPlace(sql: TransactionSql, userId: string, deviceId: string): Promise<boolean> {
  const known = await sql`select from tandem.devices where user_id = ${userId} and device_id = ${deviceId}`
  if (known.length > 0) return true
  await sql`select pg_advisory_xact_lock(hashtextextended('tandem.devices ' || ${userId}, 0))`
  const [row] = await sql<{ others: number }[]>`
    select count(*)::integer as others from tandem.devices where user_id = ${userId} and device_id <> ${deviceId}`
  if ((row?.others ?? 0) >= limits.devices) throw tooManyDevices()
  return false
}

function tooManyDevices(): Refusal {
  return refuse('limit_reached', `an account can have at most ${limits.devices} devices; remove one that is no longer used`, {
    limits: [{ name: 'devices', limit: limits.devices }],
  })
}

/** Newest first, starting after `after`; one more than `limit` means that there is a next page. */
export async function listDevices(
  sql: TransactionSql,
  userId: string,
  page: { limit: number; after: { created_at: string; device_id: string } | undefined },
): Promise<StoredDevice[]> {
  const { limit, after } = page
  const older = after ? sql`and (created_at, device_id) < (${after.created_at}::timestamptz, ${after.device_id})` : sql``
  const rows = await sql<DeviceRow[]>`
    select device_id, name, platform, app_version, created_at, last_seen_at, heartbeat_at, heartbeat from tandem.devices
    where user_id = ${userId} ${older}
    order by created_at desc, device_id desc limit ${limit + 1}`
  return rows.map(deviceOf)
}

export async function readDevice(sql: TransactionSql, userId: string, deviceId: string): Promise<StoredDevice | undefined> {
  const [row] = await sql<DeviceRow[]>`
    select device_id, name, platform, app_version, created_at, last_seen_at, heartbeat_at, heartbeat from tandem.devices
    where user_id = ${userId} and device_id = ${deviceId}`
  return row && deviceOf(row)
}

export async function registerDevice(
  sql: TransactionSql,
  userId: string,
  device: DeviceRegistration,
  now: Date,
): Promise<{ device: StoredDevice; created: boolean }> {
  const { device_id, name, platform, app_version } = device
  await hasPlace(sql, userId, device_id)
  // An inserted row was never locked or replaced: its xmax is 0.
  const [row] = await sql<[DeviceRow & { created: boolean }]>`
    insert into tandem.devices (user_id, device_id, name, platform, app_version, created_at, last_seen_at)
    values (${userId}, ${device_id}, ${name}, ${platform}, ${app_version}, ${now}, ${now})
    on conflict (user_id, device_id) do update set
      name = excluded.name, platform = excluded.platform, app_version = excluded.app_version,
      last_seen_at = greatest(devices.last_seen_at, excluded.last_seen_at)
    returning device_id, name, platform, app_version, created_at, last_seen_at, heartbeat_at, heartbeat, xmax = 0 as created`
  return { device: deviceOf(row), created: row.created }
}

/** Registers the device if it is new. */
export async function writeHeartbeat(sql: TransactionSql, userId: string, deviceId: string, heartbeat: LastHeartbeat): Promise<void> {
  const { ts, ...vitals } = heartbeat
  await hasPlace(sql, userId, deviceId)
  await sql`
    insert into tandem.devices (user_id, device_id, name, app_version, created_at, last_seen_at, heartbeat_at, heartbeat)
    values (${userId}, ${deviceId}, ${nameOf(deviceId)}, ${vitals.app_version}, ${ts}, ${ts}, ${ts}, ${JSON.stringify(vitals)})
    on conflict (user_id, device_id) do update set
      app_version = excluded.app_version, last_seen_at = greatest(devices.last_seen_at, excluded.last_seen_at),
      heartbeat_at = excluded.heartbeat_at, heartbeat = excluded.heartbeat
    where devices.heartbeat_at is null or devices.heartbeat_at < excluded.heartbeat_at`
}

/** The last heartbeats of several devices of one user. A removed device stays removed: returns which ones still exist. */
export async function writeLastHeartbeats(
  sql: TransactionSql,
  userId: string,
  devices: readonly { device_id: string; heartbeat: LastHeartbeat }[],
): Promise<string[]> {
  const rows = await sql<{ device_id: string }[]>`
    with given as (
      select * from unnest(
        ${devices.map((one) => one.device_id)}::text[], ${devices.map((one) => one.heartbeat.ts)}::timestamptz[],
        ${devices.map((one) => one.heartbeat.app_version)}::text[], ${devices.map((one) => vitalsText(one.heartbeat))}::text[]
      ) as given (device_id, ts, app_version, heartbeat)
    ), written as (
      update tandem.devices as stored set
        app_version = given.app_version, last_seen_at = greatest(stored.last_seen_at, given.ts),
        heartbeat_at = given.ts, heartbeat = given.heartbeat
      from given
      where stored.user_id = ${userId} and stored.device_id = given.device_id
        and (stored.heartbeat_at is null or stored.heartbeat_at < given.ts)
    )
    select device_id from tandem.devices where user_id = ${userId} and device_id in (select device_id from given)`
  return rows.map((row) => row.device_id)
}

/** Returns whether it existed. */
export async function deleteDevice(sql: TransactionSql, userId: string, deviceId: string): Promise<boolean> {
  const rows = await sql`delete from tandem.devices where user_id = ${userId} and device_id = ${deviceId} returning device_id`
  return rows.length > 0
}

interface DeviceRow {
  device_id: string
  name: string
  platform: DevicePlatform | null
  app_version: string | null
  created_at: Date
  last_seen_at: Date
  heartbeat_at: Date | null
  heartbeat: string | null
}

function deviceOf(row: DeviceRow): StoredDevice {
  const device: StoredDevice = {
    device_id: row.device_id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
  }
  if (row.platform !== null) device.platform = row.platform
  if (row.app_version !== null) device.app_version = row.app_version
  if (row.heartbeat_at !== null && row.heartbeat !== null) {
    const vitals: Vitals = JSON.parse(row.heartbeat)
    device.last_heartbeat = { ts: row.heartbeat_at.toISOString(), ...vitals }
  }
  return device
}

function vitalsText({ ts: _ts, ...vitals }: LastHeartbeat): string {
  return JSON.stringify(vitals)
}

/** Ids may be longer than names. */
function nameOf(deviceId: string): string {
  return deviceId.slice(0, 100)
}
