import type { Device, Heartbeat } from '@tandem/contract/device'
import { routes } from '@tandem/contract/http/schema'
import { limits } from '@tandem/contract/limits'
import { deviceLimit, judge } from '../http/admission/rate-limit.ts'
import { announcingEndpoint } from '../http/direct/announcing-endpoint.ts'
import type { DirectEndpoint } from '../http/direct/direct.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { decodeCursor, encodeCursor } from '../http/page.ts'
import { refuse } from '../http/refusal.ts'
import { faultOf, instant, refuseFaults, text } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { type Heartbeats, heartbeatAnnouncement } from './heartbeats.ts'
import { deleteDevice, type LastHeartbeat, listDevices, readDevice, registerDevice, type StoredDevice } from './store.ts'

export function deviceEndpoints(
  { database, now }: Pick<Services, 'database' | 'now'>,
  heartbeats: Heartbeats,
  endSessionsOfDevice: (userId: string, deviceId: string) => Promise<void>,
): Endpoint[] {
  return [
    endpoint(routes.users_devices_list, async ({ caller, query }) => {
      const { limit = limits.list_default } = query
      const after = decodePlace(query.cursor)
      const stored = await database.asUser(caller.user_id, (sql) => listDevices(sql, caller.user_id, { limit, after }))
      const page = stored.slice(0, limit)
      const last = stored.length > limit ? page.at(-1) : undefined
      const alive = await heartbeats.alive(
        caller.user_id,
        page.map((device) => device.device_id),
      )
      const items = page.map((device) => withPresence(device, alive.get(device.device_id)))
      return { status: 200, body: { items, next_cursor: last ? encodeCursor('devices', [last.created_at, last.device_id]) : null } }
    }),

    endpoint(routes.users_devices_get, async ({ caller, params }) => {
      const stored = await database.asUser(caller.user_id, (sql) => readDevice(sql, caller.user_id, params.id))
      if (!stored) throw refuse('not_found', `there is no device ${params.id}`)
      const alive = await heartbeats.alive(caller.user_id, [stored.device_id])
      return { status: 200, body: withPresence(stored, alive.get(stored.device_id)) }
    }),

    endpoint(routes.users_devices_register, async ({ caller, body }) => {
      refuseFaults(faultOf(text, '/name', body.name))
      const { device, created } = await database.asUser(caller.user_id, (sql) => registerDevice(sql, caller.user_id, body, new Date(now())))
      const alive = await heartbeats.alive(caller.user_id, [device.device_id])
      return { status: created ? 201 : 200, body: withPresence(device, alive.get(device.device_id)) }
    }),

    endpoint(routes.users_devices_delete, async ({ caller, params }) => {
      const stored = await database.asUser(caller.user_id, (sql) => readDevice(sql, caller.user_id, params.id))
      if (!stored) throw refuse('not_found', `there is no device ${params.id}`)
      // Sessions first: if this fails halfway, the device still exists and can be removed again.
      await endSessionsOfDevice(caller.user_id, params.id)
      await database.asUser(caller.user_id, (sql) => deleteDevice(sql, caller.user_id, params.id))
      await heartbeats.forget(caller.user_id, params.id)
      return { status: 204, body: undefined }
    }),
  ]
}

/** Served before Fastify: most requests are heartbeats. */
export function deviceDirectEndpoints({ endedSessions }: Pick<Services, 'endedSessions'>, heartbeats: Heartbeats): DirectEndpoint[] {
  const limitOf = (userId: string, { device_id }: Heartbeat) => deviceLimit(routes.device_heartbeat, userId, device_id)
  return [
    announcingEndpoint(routes.device_heartbeat, {
      announcement: ({ user_id }, body, time) => heartbeatAnnouncement(user_id, body, limitOf(user_id, body), time),
      async handle({ caller: { user_id, session_id }, body, announced, told }) {
        const server_ts = await heartbeats.record(user_id, body, {
          limit: limitOf(user_id, body),
          announced,
          judge: (take) => judge([take], told),
          async beforeWrite() {
            if (await endedSessions.has(user_id, session_id)) throw refuse('session_ended', 'this session was signed out')
          },
        })
        return { server_ts, next_in_seconds: limits.heartbeat_seconds }
      },
    }),
  ]
}

/** The heartbeat in the cache is newer: PostgreSQL gets only some of them. */
function withPresence(stored: StoredDevice, alive: LastHeartbeat | undefined): Device {
  if (!alive) return { ...stored, presence: 'offline' }
  const last_seen_at = alive.ts > stored.last_seen_at ? alive.ts : stored.last_seen_at
  return { ...stored, presence: 'online', app_version: alive.app_version, last_seen_at, last_heartbeat: alive }
}

function decodePlace(cursor: string | undefined): { created_at: string; device_id: string } | undefined {
  const [created_at, device_id] = decodeCursor('devices', cursor, 2) ?? []
  if (created_at === undefined || device_id === undefined) return undefined
  if (instant(created_at) === undefined && text(device_id) === undefined) return { created_at, device_id }
  throw refuse('invalid_request', 'query parameter `cursor` is not a cursor of this list', {
    errors: [{ pointer: '/query/cursor', message: 'is not a cursor of this list' }],
  })
}
