// Two nodes with one cache that uses the test clock, and a real PostgreSQL.
import type { Heartbeat } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import type { ServerMessage } from '@tandem/contract/ws'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { type Cache, CacheUnavailable } from '../cache/cache.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../http/id.ts'
import { type Heartbeats, openHeartbeats } from './heartbeats.ts'
import { deleteDevice, readDevice } from './store.ts'

const started = Date.UTC(2026, 8, 21)
const clock = { time: started, now: () => clock.time, every: () => () => undefined }

let ground: TestDatabase
let database: Database
let statements = 0
let cache: Cache
let nodes: [Heartbeats, Heartbeats]
let told: (readonly [string, ServerMessage])[] = []
let user = ''

beforeAll(async () => {
  ground = await testDatabase()
  database = {
    ...ground.database,
    asUser: (userId, work) => {
      statements += 1
      return ground.database.asUser(userId, work)
    },
  }
})

afterAll(() => ground.close())

beforeEach(() => {
  clock.time = started
  told = []
  user = newId(Date.now())
  cache = openInProcessCache({ log: () => undefined, clock })
  nodes = [open(cache), open(cache)]
  statements = 0
})

function open(itsCache: Cache): Heartbeats {
  const hub = {
    tell: (userId: string, message: ServerMessage) => void told.push([userId, message]),
    endSessions: () => undefined,
    sockets: 0,
  }
  return openHeartbeats({ cache: itsCache, database, hub, now: clock.now, log: pino({ level: 'silent' }) })
}

function beat(device_id: string, running_runs = 0): Heartbeat {
  return { device_id, app_version: '0.1.0', sandbox_mode: 'workspace', running_runs, paused_runs: 0, sync_lag: { pending_changes: 0 } }
}

const at = (seconds: number): string => new Date(started + seconds * 1_000).toISOString()
const stored = (device: string, owner = user) => ground.database.asUser(owner, (sql) => readDevice(sql, owner, device))
const said = (device_id: string, presence: 'online' | 'offline', seconds: number) =>
  [user, { type: 'device.presence', device_id, presence, ts: at(seconds) }] as const

/** Advances the clock and sweeps on both nodes. */
async function pass(seconds: number): Promise<void> {
  clock.time += seconds * 1_000
  await nodes[0].sweep()
  await nodes[1].sweep()
}

test('the first heartbeat registers the device and publishes that it is online', async () => {
  expect(await nodes[0].record(user, beat('laptop', 2))).toBe(at(0))
  const { device_id: _id, ...vitals } = beat('laptop', 2)
  expect(await stored('laptop')).toEqual({
    device_id: 'laptop',
    name: 'laptop',
    app_version: '0.1.0',
    created_at: at(0),
    last_seen_at: at(0),
    last_heartbeat: { ts: at(0), ...vitals },
  })
  expect(told).toEqual([said('laptop', 'online', 0)])
})

test('an hour of heartbeats on two nodes causes seven writes and one hint', async () => {
  for (let index = 0; index <= 120; index += 1) {
    await nodes[index % 2 ? 1 : 0].record(user, beat('laptop', index))
    await pass(30)
  }
  expect({ statements, told }).toEqual({ statements: 7, told: [said('laptop', 'online', 0)] })
})

test('a device that goes silent is reported once, on whichever node, and its last heartbeat is stored', async () => {
  await nodes[0].record(user, beat('laptop', 1))
  await pass(30)
  await nodes[1].record(user, beat('laptop', 2))
  await pass(limits.presence_seconds - 30)
  expect(told).toEqual([said('laptop', 'online', 0)])
  await pass(31)
  await pass(60)
  expect(told).toEqual([said('laptop', 'online', 0), said('laptop', 'offline', 121)])
  expect(await stored('laptop')).toMatchObject({ last_seen_at: at(30), last_heartbeat: { ts: at(30), running_runs: 2 } })
  await nodes[0].record(user, beat('laptop', 3))
  expect(told.at(-1)).toEqual(said('laptop', 'online', 181))
})

test('devices of a user that go silent together are one statement', async () => {
  const devices = Array.from({ length: 20 }, (_, index) => `device-${index}`)
  for (const device of devices) await nodes[0].record(user, beat(device))
  statements = 0
  await pass(limits.presence_seconds + 2)
  expect(statements).toBe(1)
  expect(told.filter(([, message]) => message.type === 'device.presence' && message.presence === 'offline').length).toBe(20)
})

test('a node that listed a device as online reports its end, even if the node with its heartbeats was killed', async () => {
  await nodes[0].record(user, beat('laptop'))
  expect([...(await nodes[1].alive(user, ['laptop', 'desktop'])).keys()]).toEqual(['laptop'])
  // The first node no longer sweeps.
  for (let second = 0; second < 300; second += 30) {
    await nodes[0].record(user, beat('laptop'))
    clock.time += 30_000
    await nodes[1].sweep()
  }
  clock.time += 120_000
  await nodes[1].sweep()
  expect(told).toEqual([said('laptop', 'online', 0), said('laptop', 'offline', 420)])
})

test('a removed device leaves no presence, no row and no second hint', async () => {
  await nodes[0].record(user, beat('laptop'))
  await nodes[1].alive(user, ['laptop'])
  await ground.database.asUser(user, (sql) => deleteDevice(sql, user, 'laptop'))
  await nodes[1].forget(user, 'laptop')
  expect(await nodes[0].alive(user, ['laptop'])).toEqual(new Map())
  await pass(limits.presence_seconds + 2)
  await nodes[0].close()
  expect(await stored('laptop')).toBe(undefined)
  expect(told).toEqual([said('laptop', 'online', 0), said('laptop', 'offline', 0)])
  await nodes[1].record(user, beat('laptop'))
  expect(await stored('laptop')).toMatchObject({ device_id: 'laptop' })
})

test('devices of two users with the same id are two devices', async () => {
  const other = newId(Date.now())
  await nodes[0].record(user, beat('laptop', 1))
  await nodes[0].record(other, beat('laptop', 2))
  expect((await nodes[1].alive(user, ['laptop'])).get('laptop')?.running_runs).toBe(1)
  expect((await nodes[1].alive(other, ['laptop'])).get('laptop')?.running_runs).toBe(2)
  expect([(await stored('laptop'))?.last_heartbeat?.running_runs, (await stored('laptop', other))?.last_heartbeat?.running_runs]).toEqual([
    1, 2,
  ])
})

test('a node that shuts down writes what PostgreSQL does not have yet', async () => {
  await nodes[0].record(user, beat('laptop', 1))
  await pass(30)
  await nodes[0].record(user, beat('laptop', 2))
  expect((await stored('laptop'))?.last_heartbeat?.running_runs).toBe(1)
  await nodes[0].close()
  expect(await stored('laptop')).toMatchObject({ last_seen_at: at(30), last_heartbeat: { ts: at(30), running_runs: 2 } })
})

test('a failed write is retried with the next heartbeat', async () => {
  const working = database.asUser
  database.asUser = () => Promise.reject(new Error('no database'))
  await expect(nodes[0].record(user, beat('laptop'))).rejects.toThrow('no database')
  database.asUser = working
  await nodes[0].record(user, beat('laptop'))
  expect(await stored('laptop')).toMatchObject({ device_id: 'laptop' })
  expect(told).toEqual([said('laptop', 'online', 0)])
})

test('without the cache heartbeats are accepted, and not written more often', async () => {
  const down = () => Promise.reject(new CacheUnavailable('down'))
  const node = open({ ...cache, get: down, getMany: down, set: down, add: down, delete: down })
  for (let index = 0; index < 20; index += 1) {
    await node.record(user, beat('laptop', index))
    clock.time += 30_000
    await node.sweep()
  }
  expect({ statements, told, alive: [...(await node.alive(user, ['laptop'])).keys()] }).toEqual({
    statements: 1,
    told: [said('laptop', 'online', 0)],
    alive: ['laptop'],
  })
})
