// Two nodes, one PostgreSQL, one Redis: what happens on one is known to the other, and one may die.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMigrations } from '../packages/server/src/database/migrate.ts'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { startTestRedis, type TestRedis } from '../packages/server/test/support/test-redis.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { acknowledgedCount, lostChanges, openAccount, startLoad } from './server-load.ts'
import { endServers, type ServerProcess, startServerProcess, type Variables } from './server-process.ts'
import { recordSocket, type SocketRecorder } from './socket-recorder.ts'

let folder: string
let redis: TestRedis
let database: TestDatabase
let variables: Variables
let left: ServerProcess
let right: ServerProcess

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-nodes-'))
  redis = await startTestRedis()
  database = await emptyDatabase()
  variables = {
    ENV: 'production',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    BAAS_URL: database.url,
    BAAS_KEY: database.password,
    BAAS_JWT_SECRET: randomBytes(32).toString('hex'),
    CACHE_URL: redis.url,
    STORAGE_URL: `file:${folder}`,
  }
  // Both at once on an empty database: one of them creates the schema while the other waits.
  ;[left, right] = await Promise.all([startServerProcess(variables), startServerProcess(variables)])
})
afterAll(async () => {
  await endServers()
  await redis.stop()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('two first starts at once: each migration is applied once, by one of them, and both serve', async () => {
  const made = [left, right].flatMap((node) => /applied database migrations: ([^"\n]+)/.exec(node.output())?.[1]?.split(', ') ?? [])
  expect(made.sort()).toEqual((await readMigrations()).map(({ name }) => name))
  for (const node of [left, right]) expect((await callRoute(node.url, 'ready')).body.status).toBe('ready')
})

test('a push on one node sends a hint on the other, only to its user', async () => {
  const [mara, otto] = [await openAccount(left.url), await openAccount(right.url)]
  const [hers, his] = [await recordSocket(right.url, mara.token), await recordSocket(right.url, otto.token)]
  const pushed = await callRoute(left.url, 'sync_push', {
    token: mara.token,
    body: { device_id: 'laptop', changes: [change('agents', 'a-1', { name: 'Researcher' })] },
  })
  // A hint that failed is sent again, after a hello: by then it may arrive twice.
  const hints = ({ heard }: SocketRecorder) => [
    ...new Set(heard.filter(({ type }) => type === 'sync.changed').map((hint) => JSON.stringify(hint))),
  ]
  await waitFor(() => hints(hers).length > 0)
  expect(hints(hers).map((hint) => JSON.parse(hint))).toEqual([
    { type: 'sync.changed', cursor_ts: pushed.body.cursor_ts, entity_types: ['agents'], device_id: 'laptop' },
  ])
  const pulled = await callRoute(right.url, 'sync_pull', { token: mara.token })
  expect(pulled.body.changes.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual(['a-1'])
  expect(hints(his)).toEqual([])
  for (const ear of [hers, his]) ear.close()
})

test('logging out on one node ends the tokens and the sockets on the other', async () => {
  const { token } = await openAccount(left.url)
  const ear = await recordSocket(right.url, token)
  expect((await callRoute(left.url, 'auth_logout', { token, body: {} })).status).toBe(204)
  await waitFor(() => ear.closed() !== undefined)
  expect(ear.closed()).toBe(4409)
  const after = await callRoute(right.url, 'users_profile_get', { token })
  expect([after.status, after.problem?.code]).toEqual([401, 'session_ended'])
})

test('limits are counted across both nodes', async () => {
  const { token } = await openAccount(left.url)
  const vitals = { app_version: '1.0.0', sandbox_mode: 'workspace', running_runs: 0, paused_runs: 0, sync_lag: { pending_changes: 0 } }
  // The limit is 30 per minute: either node alone would serve all of its 25, and the 20 too many are not allowed again for 40 seconds.
  const beat = (node: ServerProcess, device_id: string) =>
    Promise.all(Array.from({ length: 25 }, () => callRoute(node.url, 'device_heartbeat', { token, body: { device_id, ...vitals } })))
  // If a Redis command takes more than half a second, the node counts on its own. That happens on a busy machine: try another device.
  const refused: number[] = []
  for (let device = 0; device < 4 && !refused.some((number) => number > 0); device += 1) {
    expect(new Set((await beat(left, `laptop-${device}`)).map(({ status }) => status))).toEqual(new Set([200]))
    const codes = (await beat(right, `laptop-${device}`)).map(({ problem }) => problem?.code)
    expect(codes.filter((code) => code !== undefined && code !== 'rate_limited')).toEqual([])
    refused.push(codes.filter((code) => code === 'rate_limited').length)
  }
  expect(refused.at(-1)).toBeGreaterThan(0)
  expect(refused.at(-1)).toBeLessThan(25)
})

test('kill -9 of one under load: everything acknowledged is available on the other', async () => {
  const accounts = [await openAccount(left.url), await openAccount(right.url)]
  const load = startLoad([left.url, right.url], accounts, { devices: 3 })
  await waitFor(() => load.count() > 60, 15_000)
  await left.kill()
  const before = load.count()
  await waitFor(() => load.count() > before + 30, 15_000)
  const journal = await load.stop()
  expect([...journal.refusals.keys()]).toEqual([])
  expect(acknowledgedCount(journal)).toBeGreaterThan(400)
  expect(await lostChanges(right.url, accounts, journal)).toEqual([])

  await using again = await startServerProcess(variables)
  expect(await lostChanges(again.url, accounts, journal)).toEqual([])
})

test('a node that shuts down sends its sockets to the others', async () => {
  await using third = await startServerProcess(variables)
  const { token } = await openAccount(right.url)
  const ear = await recordSocket(third.url, token)
  third.signal('SIGTERM')
  expect((await third.ended).code).toBe(0)
  await waitFor(() => ear.closed() !== undefined)
  expect(ear.closed()).toBe(1012)
  const next = await recordSocket(right.url, token)
  next.close()
})
