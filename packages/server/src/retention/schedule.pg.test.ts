import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { blobKey } from '../file/blob-key.ts'
import { sweepOrphanBlobs } from '../file/orphans.ts'
import { newId } from '../http/id.ts'
import { expireLogs } from '../log/retention.ts'
import type { Services } from '../services.ts'
import { purgeTombstones } from '../sync/purge.ts'
import { firstRunMs, runIntervalMs, scheduleRetention } from './schedule.ts'

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
