import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { facts } from '../../test/support/test-change.ts'
import { StorageUnavailable } from '../blobs/blobs.ts'
import { exportHistory } from './history.ts'

const dayMs = 24 * 60 * 60 * 1_000
let backend: TestApp
beforeAll(async () => {
  backend = await testApp()
})
afterAll(() => backend.close())

async function call(user: TestUser, method: 'GET' | 'POST', url: string, payload?: object) {
  const { app } = backend
  return await app.inject({ method, url, headers: user.headers, remoteAddress: backend.address(), ...(payload ? { payload } : {}) })
}
const push = (user: TestUser, changes: readonly object[]) => call(user, 'POST', '/api/v1/sync/push', { device_id: 'laptop', changes })
const idsOf = async (user: TestUser): Promise<string[]> =>
  (await call(user, 'GET', '/api/v1/sync/pull?limit=1000')).json().changes.map((change: { entity_id: string }) => change.entity_id)
const filesOf = async (user: TestUser): Promise<{ id: string; name: string; size: number }[]> =>
  (await call(user, 'GET', '/api/v1/files')).json().items
const age = (user: TestUser, days: number) =>
  backend.services.database.owner`update tandem.sync_entities set stamp = stamp - ${days * dayMs} where user_id = ${user.user_id}`

const agent = { entity_type: 'agents', entity_id: 'agent', op: 'upsert', version: 1, payload: { name: 'x' } }
const now = () => new Date().toISOString()

test('old append-only entities are moved to files of their user; everything else stays', async () => {
  const user = await backend.user()
  const old = facts('old', 5)
  await push(user, [...old, { ...agent, updated_at: now(), source_ts: now() }])
  await age(user, 400)
  await push(user, facts('new', 2))
  const cursor = (await call(user, 'GET', '/api/v1/sync/pull')).json().cursor_ts

  await exportHistory(backend.services, 365)
  expect((await idsOf(user)).toSorted()).toEqual(['agent', ...facts('new', 2).map((one) => one.entity_id)].toSorted())
  const files = await filesOf(user)
  expect(files).toMatchObject([{ name: expect.stringMatching(/^history \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.jsonl$/) }])
  const text = (await call(user, 'GET', `/api/v1/files/${files[0]?.id}`)).body
  const exported = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exported.map(({ entity_id, payload }) => ({ entity_id, payload }))).toEqual(
    old.map(({ entity_id, payload }) => ({ entity_id, payload })),
  )

  // A device that was up to date stays so: nothing was deleted for it.
  const later = await call(user, 'GET', `/api/v1/sync/pull?cursor_ts=${cursor}`)
  expect([later.statusCode, later.json().changes]).toEqual([200, []])
  const [head] = await backend.services.database.owner<{ counted: number; stored: number }[]>`
    select bytes::float8 as counted, (select sum(octet_length(record)) from tandem.sync_entities where user_id = ${user.user_id})::float8 as stored
    from tandem.sync_heads where user_id = ${user.user_id}`
  expect(head?.counted).toBe(head?.stored)

  // Once a day: the next round finds nothing to do.
  await exportHistory(backend.services, 365)
  expect(await filesOf(user)).toHaveLength(1)
})

test('a long history becomes several files, without losing or repeating a record', async () => {
  const user = await backend.user()
  for (let n = 0; n < 6; n += 1) await push(user, facts(`part-${n}`, 3))
  const before = await idsOf(user)
  await age(user, 400)
  await exportHistory(backend.services, 365, undefined, 1)
  const files = await filesOf(user)
  expect(files.length).toBe(6)
  const ids: string[] = []
  for (const { id } of files.toReversed()) {
    const text = (await call(user, 'GET', `/api/v1/files/${id}`)).body
    ids.push(
      ...text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).entity_id),
    )
  }
  expect(ids).toEqual(before)
  expect(await idsOf(user)).toEqual([])
})

test('a user is looked at again only when a day of the history that is left has become old', async () => {
  const { database } = backend.services
  const [busy, idle] = [await backend.user(), await backend.user()]
  await push(busy, facts('old', 2))
  await age(busy, 400)
  await push(busy, facts('recent', 2))
  await push(idle, [{ ...agent, updated_at: now(), source_ts: now() }])
  const time = Date.now() + 30 * dayMs
  const visited: string[] = []
  const watching = {
    ...database,
    asUser: <T>(userId: string, work: Parameters<typeof database.asUser<T>>[1]) => {
      visited.push(userId)
      return database.asUser(userId, work)
    },
  }
  const round = async (at: number) => {
    visited.length = 0
    await exportHistory({ ...backend.services, database: watching, now: () => at }, 365)
    return [busy, idle].filter(({ user_id }) => visited.includes(user_id))
  }
  expect(await round(time)).toEqual([busy, idle])
  const begins = await database.owner<{ user_id: string; at: number }[]>`
    select user_id, history_ts::float8 as at from tandem.sync_heads where user_id in (${busy.user_id}, ${idle.user_id})`
  const [left] = await database.owner<{ stamp: number }[]>`
    select min(stamp)::float8 as stamp from tandem.sync_entities where user_id = ${busy.user_id}`
  expect(Object.fromEntries(begins.map(({ user_id, at }) => [user_id, at]))).toEqual({ [busy.user_id]: left?.stamp, [idle.user_id]: time })

  expect(await round(time + 300 * dayMs)).toEqual([])
  expect(await round(time + 337 * dayMs)).toEqual([busy])
  expect(await idsOf(busy)).toEqual([])
})

test('nothing is deleted if the file cannot be stored, or if the setting is 0', async () => {
  const user = await backend.user()
  await push(user, facts('kept', 3))
  await age(user, 400)
  await exportHistory(backend.services, 0)
  const put = () => Promise.reject(new StorageUnavailable('down'))
  await expect(exportHistory({ ...backend.services, blobs: { ...backend.services.blobs, put } }, 365)).rejects.toThrow('down')
  expect(await idsOf(user)).toHaveLength(3)
  expect(await filesOf(user)).toEqual([])
})
