// PostgreSQL becomes unavailable and available again during requests; the process does not restart.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, openDatabase } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate, readMigrations } from './migrate.ts'

const password = 'outage'
const users = Array.from({ length: 8 }, (_, index) => `01890000-0000-7000-8000-00000000000${index}`)

let dir: string
let server: EmbeddedPostgres
let database: Database

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-outage-'))
  server = await startEmbeddedPostgres({ dir, password, log: () => undefined })
  database = await openDatabase({ address: server.url, password, max_connections: 4 }, () => undefined)
  await migrate(database.owner, await readMigrations())
  await database.owner`create table tandem.mark (user_id uuid not null, n integer not null, primary key (user_id, n))`
  await database.owner`select tandem.isolate('tandem.mark')`
})
afterAll(async () => {
  await database.close()
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

test('restarts under load lose no acknowledged write, mix no users, and need no intervention', async () => {
  const acknowledged = new Map(users.map((user) => [user, new Set<number>()]))
  const strange: unknown[] = []
  let outages = 0
  let running = true
  const writer = async (user: string) => {
    for (let n = 0; running; n += 1) {
      try {
        await database.asUser(user, async (sql) => {
          await sql`insert into tandem.mark values (${user}, ${n})`
          await sql`select pg_sleep(0.002)`
          await sql`update tandem.mark set n = n where n = ${n}`
        })
        acknowledged.get(user)?.add(n)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) strange.push(error)
        outages += 1
        await pause(20)
      }
    }
  }
  const load = users.map(writer)
  for (const signal of ['SIGINT', 'SIGKILL', 'SIGINT', 'SIGQUIT'] as const) {
    await pause(300)
    const before = server.pid
    process.kill(before, signal)
    await until(() => server.pid !== before)
    const size = total(acknowledged)
    await until(() => total(acknowledged) > size + 20)
  }
  running = false
  await Promise.all(load)

  expect(strange).toEqual([])
  expect(outages).toBeGreaterThan(0)
  for (const user of users) {
    const rows = await database.asUser(user, (sql) => sql<{ n: number }[]>`select n from tandem.mark`)
    const stored = new Set(rows.map(({ n }) => n))
    expect([...(acknowledged.get(user) ?? [])].filter((n) => !stored.has(n))).toEqual([])
  }
}, 300_000)

test('requests to a database that hangs fail while it hangs, and succeed when it recovers', async () => {
  await database.asUser(users[0] ?? '', (sql) => sql`select 1`)
  process.kill(server.pid, 'SIGSTOP')
  try {
    const fresh = await openDatabase({ address: server.url, password }, () => undefined)
    await expect(fresh.asUser(users[0] ?? '', (sql) => sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await fresh.close()
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  expect([...(await database.asUser(users[0] ?? '', (sql) => sql`select 1 as one`))]).toEqual([{ one: 1 }])
})

function total(acknowledged: ReadonlyMap<string, ReadonlySet<number>>): number {
  return [...acknowledged.values()].reduce((sum, marks) => sum + marks.size, 0)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

async function until(condition: () => boolean): Promise<void> {
  for (const begun = Date.now(); !condition(); await pause(5)) {
    if (Date.now() - begun > 60_000) throw new Error('waited a minute in vain')
  }
}
