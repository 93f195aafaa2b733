import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { testDatabase } from '../../test/support/test-database.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import { blobKey } from '../file/blob-key.ts'
import { sweepOrphanBlobs } from '../file/orphans.ts'
import { newId } from '../http/id.ts'
import { expireLogs } from '../log/retention.ts'
import type { Services } from '../services.ts'
import { purgeTombstones } from '../sync/purge.ts'
import { firstRunMs, runIntervalMs, scheduleRetention } from './schedule.ts'
import { renewMs, turnMs } from './turn.ts'

const firstId = '01890000-0000-7000-8000-000000000000'
let backend: TestApp
let services: Services

beforeAll(async () => {
  backend = await testApp()
  services = { ...backend.services, cache: { ...backend.services.cache, add: async () => true } }
})
afterAll(() => backend.close())
afterEach(() => {
  vi.useRealTimers()
})

test('the first round runs soon after the start, the next every hour, none after the stop', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let rounds = 0
  const count = async () => {
    rounds += 1
  }
  const stop = scheduleRetention(services, [{ name: 'count', run: count }])
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return rounds
  }
  expect([await after(firstRunMs - 1), await after(1), await after(runIntervalMs - 1), await after(1), await after(runIntervalMs)]).toEqual(
    [0, 1, 1, 2, 3],
  )
  await stop()
  expect(await after(2 * runIntervalMs)).toBe(3)
})

test('a stop signals the running job, waits for it and starts no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const told: string[] = []
  const stop = scheduleRetention(services, [
    {
      name: 'long',
      run: (_, signal) =>
        new Promise((resolve) => {
          told.push('begun')
          signal.addEventListener('abort', () => {
            told.push('told')
            resolve()
          })
        }),
    },
    { name: 'never', run: async () => void told.push('never') },
  ])
  await vi.advanceTimersByTimeAsync(firstRunMs)
  await stop()
  expect(told).toEqual(['begun', 'told'])
})

test('stopped jobs do nothing more', async () => {
  const user = await backend.user()
  const { blobs, database, now } = backend.services
  const long = 365 * 24 * 3_600_000
  const key = blobKey(user.user_id, newId(now() - long))
  await blobs.put(key, Readable.from([Buffer.from('x')]), { maxBytes: 10, mediaType: 'text/plain' })
  const record = { ts: new Date(now()).toISOString(), level: 'info', message: 'x', fields: [] }
  const { app } = backend
  await app.inject({ method: 'POST', url: '/api/v1/logs', headers: user.headers, payload: { records: [record] } })
  const left = async () => {
    const keys: string[] = []
    for await (const one of blobs.list(`${user.user_id}/`)) keys.push(one)
    const logs = await app.inject({ method: 'GET', url: '/api/v1/logs', headers: user.headers })
    return [keys, logs.json().items.length]
  }
  const run = async (signal?: AbortSignal) => {
    await purgeTombstones(database, now() + long, signal)
    await expireLogs(database, now() + long, signal)
    await sweepOrphanBlobs(backend.services, signal)
    return await left()
  }
  expect([await run(AbortSignal.abort()), await run()]).toEqual([
    [[key], 1],
    [[], 0],
  ])
})

test('the turn is renewed while a job runs, and the job stops if another node has it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const clock = { time: 0, now: () => clock.time, every: () => () => undefined }
  const cache = openInProcessCache({ log: () => undefined, clock })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += renewMs) {
      clock.time += renewMs
      await vi.advanceTimersByTimeAsync(renewMs)
    }
  }
  const events: string[] = []
  const long = {
    name: 'long',
    run: (_: Services, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        events.push('begun')
        signal.addEventListener('abort', () => {
          events.push('aborted')
          resolve()
        })
      }),
  }
  const stop = scheduleRetention({ ...backend.services, cache }, [long])
  const other = scheduleRetention({ ...backend.services, cache }, [{ name: 'other', run: async () => void events.push('other') }])
  await pass(10 * turnMs)
  expect(events).toEqual(['begun'])

  // The cache loses everything, and another node is first.
  await cache.set('retention', 'another node', turnMs / 1_000)
  await pass(renewMs)
  expect(events).toEqual(['begun', 'aborted'])
  await Promise.all([stop(), other()])
  await cache.close()
})

test('retention finds users by their old rows alone, and locks no others', async () => {
  const { database, now } = backend.services
  const [old, young] = [await backend.user(), await backend.user()]
  const tombstone = (userId: string, stamp: number) => database.owner`
    insert into tandem.sync_entities (user_id, stamp, version, ord, merged, op, entity_type, entity_id, updated_at, device_id, content_hash, record)
    values (${userId}, ${stamp}, 1, 1, false, 'delete', 'todos', 'x', '', '', '', '{}')`
  for (const user of [old, young]) await database.owner`insert into tandem.sync_heads (user_id, stamp) values (${user.user_id}, ${now()})`
  await tombstone(old.user_id, now() - 2 * 365 * 24 * 3_600_000)
  await tombstone(young.user_id, now())
  const asked: string[] = []
  const watching = {
    ...database,
    asUser: <T>(userId: string, work: Parameters<typeof database.asUser<T>>[1]) => {
      asked.push(userId)
      return database.asUser(userId, work)
    },
  }
  // A push of the other user is in progress, and holds its head.
  await database.owner.begin(async (holder) => {
    await holder`select from tandem.sync_heads where user_id = ${young.user_id} for update`
    await purgeTombstones(watching, now())
  })
  expect(asked).toEqual([old.user_id])
  const left = await database.owner<{ user_id: string }[]>`
    select user_id from tandem.sync_entities where op = 'delete' and user_id in (${old.user_id}, ${young.user_id})`
  expect(left.map(({ user_id }) => user_id)).toEqual([young.user_id])
})

// The search for deleted accounts wants every row of its table, which has only those of the last hours: an index would be of no use.
test('every search for old rows reads an index, however many rows there are', async () => {
  await using own = await testDatabase()
  const plans = await own.database.owner.begin(async (sql) => {
    await sql`set local enable_seqscan = off`
    const time = new Date().toISOString()
    return await Promise.all([
      sql`explain select user_id from tandem.sync_entities where op = 'delete' and stamp < 1 order by stamp limit 10`,
      sql`explain select user_id from tandem.log_records where id < ${firstId} order by id limit 10`,
      sql`explain select user_id from tandem.model_calls where ts < ${time} order by ts limit 10`,
      sql`explain select user_id from tandem.model_months where month < '2026-01-01' order by month limit 10`,
      sql`explain select user_id from tandem.idempotency_keys where created_at < ${time} order by created_at limit 10`,
      sql`explain select user_id from tandem.sync_heads where history_ts < 1 order by history_ts limit 10`,
    ])
  })
  const used = plans.map((plan) => /using (\w+) on/.exec(plan.map((line) => line['QUERY PLAN']).join(' '))?.[1])
  expect(used).toEqual([
    'sync_entities_old_tombstones',
    'log_records_old',
    'model_calls_old',
    'model_months_old',
    'idempotency_keys_old',
    'sync_heads_history',
  ])
})
