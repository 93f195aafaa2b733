// More connections are wanted than PostgreSQL accepts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { crowdedWarning, roomProblem, wantedConnections } from './connections.ts'
import { connectionsPerProcess, type Database, openDatabase } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'

const room = 8
const user = '01890000-0000-7000-8000-000000000001'

let cluster: TestCluster
let database: Database
const log: string[] = []
let losses = 0

beforeAll(async () => {
  cluster = await startTestCluster({ settings: { max_connections: String(room), superuser_reserved_connections: '0' } })
  database = await openDatabase({ address: cluster.address, password: cluster.password }, (line) => log.push(line))
  database.onLost(() => {
    losses += 1
  })
  const migrated = await migrate(database.owner, await readMigrations())
  if (!migrated.ok) throw new Error(migrated.message)
})
afterAll(async () => {
  await database?.close()
  await cluster?.[Symbol.asyncDispose]()
})

test('requests wait for a free connection, and no connection is given up', async () => {
  await database.owner`create table tandem.mark (user_id uuid not null, n integer not null, primary key (user_id, n))`
  await database.owner`select tandem.isolate('tandem.mark')`
  log.length = 0
  const numbers = Array.from({ length: 200 }, (_, n) => n)
  await Promise.all(
    numbers.map((n) =>
      database.asUser(user, async (sql) => {
        await sql`insert into tandem.mark values (${user}, ${n})`
        await sql`select pg_sleep(0.01)`
      }),
    ),
  )
  const rows = await database.asUser(user, (sql) => sql<{ n: number }[]>`select n from tandem.mark order by n`)
  expect(rows.map(({ n }) => n)).toEqual(numbers)
  expect({ losses, log }).toEqual({ losses: 0, log: [] })
})

test('where connections never become free, requests fail as busy, and those in progress are completed', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const others = await openDatabase({ address: cluster.address, password: cluster.password, max_connections: room }, () => undefined)
  try {
    const holding = Promise.allSettled(
      Array.from({ length: room }, (_, n) =>
        database.asUser(user, async (sql) => {
          await sql`insert into tandem.mark values (${user}, ${1000 + n})`
          await released
        }),
      ),
    )
    const refused = await others
      .asUser(user, (sql) => sql`select 1`)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(refused).toMatchObject({ name: 'DatabaseUnavailable', reason: 'busy' })
    release()
    const ended = await holding
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(losses).toBe(0)
  } finally {
    release()
    await others.close()
  }
})

test('a start warns with the numbers and the remedy', async () => {
  expect(await roomProblem(database.owner, cluster.address, 4)).toBe(crowdedWarning(room, 4))
  expect(await roomProblem(database.owner, { ...cluster.address, pooled: true }, 4)).toBeUndefined()
  expect(crowdedWarning(100, 4)).toBe(
    'PostgreSQL accepts 100 connections, but 4 workers can open 120: requests may have to wait. Set max_connections to at least 140, or WORKERS to 2',
  )
  expect(crowdedWarning(8, 1)).toBe(
    'PostgreSQL accepts 8 connections, but this server can open 30: requests may have to wait. Set max_connections to at least 50',
  )
  expect(wantedConnections(4)).toBe(4 * connectionsPerProcess + 20)
})
