// Retention when the tables are distributed: shard by shard, with a stand-in for the function of Citus.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installCitusStandIn, installDistributionStandIn, shardCount, userOfShard } from '../../test/support/citus-stand-in.ts'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { waitFor } from '../../test/support/test-wait.ts'
import { finishDeletions } from '../account/deletion.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate, readMigrations } from '../database/migrate.ts'
import { rowsPerSearch } from '../database/old-row-search.ts'
import { blobKey } from '../file/blob-key.ts'
import { sweepOrphanBlobs } from '../file/orphans.ts'
import { newId } from '../http/id.ts'
import { expireIdempotencyKeys } from '../http/idempotency.ts'
import { expireModelCalls } from '../llm/ledger/retention.ts'
import { expireLogs } from '../log/retention.ts'
import { purgeTombstones } from '../sync/purge.ts'
import { exportHistory } from './history.ts'

const owner = 'landlord'
const now = Date.parse('2026-11-19T12:00:00.000Z')
const old = now - 3 * 365 * 24 * 3_600_000
const down = 2
/** One user per shard. */
const users = Array.from({ length: shardCount }, (_, shard) => userOfShard(shard))
const tables = ['deleted_accounts', 'sync_entities', 'sync_heads', 'log_records', 'model_calls', 'model_months', 'idempotency_keys']

let cluster: TestCluster
const logged: string[] = []

beforeAll(async () => {
  cluster = await startTestCluster({ settings: { log_statement: 'all', log_line_prefix: '@@@%a ' }, log: (text) => logged.push(text) })
  await cluster.admin((sql) => sql.unsafe(`create role ${owner} login createrole password '${owner}'`))
})
afterAll(() => cluster[Symbol.asyncDispose]())

/** A migrated database whose owner is not a superuser, so that policies apply to it. */
async function ownedDatabase(name: string): Promise<Database> {
  await cluster.admin((sql) => sql.unsafe(`create database ${name} owner ${owner}`))
  const database = await openDatabase({ address: { ...cluster.address, user: owner, database: name }, password: owner }, () => undefined)
  expect(await migrate(database.owner, await readMigrations())).toMatchObject({ ok: true })
  return database
}

/** Old rows of one user in every table that retention reads, and more tombstones than one search looks at if `many`. */
async function addOldRows(sql: Sql, userId: string, many = false): Promise<void> {
  const time = new Date(old).toISOString()
  const entity = (ord: string, op: string, type: string, from: string) =>
    sql.unsafe(`
    insert into tandem.sync_entities (user_id, stamp, version, ord, merged, op, entity_type, entity_id, updated_at, device_id, content_hash, record)
    select '${userId}', ${old}, 1, ${ord}, false, '${op}', '${type}', 'of ' || ${ord}, '', '', '', '{}' from ${from}`)
  await sql`insert into tandem.sync_heads (user_id, stamp, bytes) values (${userId}, ${now}, 100000)`
  await entity('n', 'delete', 'todos', `generate_series(1, ${many ? rowsPerSearch + 1 : 1}) n`)
  await entity('0', 'upsert', 'messages', '(select) one')
  await sql`insert into tandem.log_records (user_id, id, ts, received_at, level, message, fields)
    values (${userId}, ${newId(old)}, ${time}, ${time}, 'info', 'x', '[]')`
  await sql`insert into tandem.model_calls (user_id, generation_id, ts, operation, model, status, input_tokens, cached_input_tokens,
      output_tokens, estimated, aborted, attempts, duration_ms, ended)
    values (${userId}, ${newId(old)}, ${time}, 'chat', 'demo/scripted', 200, 1, 0, 1, false, false, 1, 1, true)`
  await sql`insert into tandem.model_months (user_id, month, tokens) values (${userId}, '2020-01-01', 1)`
  await sql`insert into tandem.idempotency_keys (user_id, key, request_hash, created_at) values (${userId}, 'key', 'x', ${time})`
}

async function addDeletedAccount(sql: Sql, userId: string): Promise<void> {
  await sql`insert into tandem.deleted_accounts (user_id, deleted_at) values (${userId}, ${new Date(old).toISOString()})`
}

/** Every job; what it failed with, by its name. */
async function runEveryJob(database: Database): Promise<Record<string, unknown>> {
  const services = { database, blobs: memoryBlobs([]), log: pino({ level: 'silent' }), now: () => now }
  const jobs = {
    tombstones: () => purgeTombstones(database, now),
    history: () => exportHistory(services, 365),
    logs: () => expireLogs(database, now),
    calls: () => expireModelCalls(database, now),
    keys: () => expireIdempotencyKeys(database, now),
    accounts: () => finishDeletions(services),
  }
  const failures: Record<string, unknown> = {}
  for (const [name, run] of Object.entries(jobs)) {
    await run().catch((error: unknown) => {
      failures[name] = error
    })
  }
  return failures
}

/** Users with rows that retention should have deleted, by table; asked as the superuser, which sees every shard. */
async function leftRows(name: string): Promise<Record<string, string[]>> {
  const left: Record<string, string[]> = {}
  await cluster.admin(async (sql) => {
    for (const table of tables) {
      const only = table === 'sync_heads' ? `where history_ts < ${old + 1}` : ''
      const rows = await sql.unsafe<{ user_id: string }[]>(`select distinct user_id from tandem.${table} ${only} order by user_id`)
      if (rows.length > 0) left[table] = rows.map(({ user_id }) => user_id)
    }
  }, name)
  return left
}

/** The statements that were sent since `mark`, in order. */
async function statementsSince(mark: string): Promise<string[]> {
  await cluster.admin((sql) => sql.unsafe(`select 'end of ${mark}'`))
  await waitFor(() => logged.join('').includes(`'end of ${mark}'`), 30_000)
  const text = logged.join('')
  return text
    .slice(text.indexOf(`'begin of ${mark}'`))
    .split('@@@')
    .map((entry) => /^tandem LOG: {2}(?:statement|execute [^:]+): (.*)$/s.exec(entry)?.[1]?.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== undefined)
}
const beginLog = (mark: string) => cluster.admin((sql) => sql.unsafe(`select 'begin of ${mark}'`))
const overAllShards = (statement: string) =>
  /from tandem\.\w+ where (?!.*user_id =).* order by /.test(statement) && !/run_command_on_shards/.test(statement)

test('plain PostgreSQL: one statement per search, and nothing of Citus', async () => {
  await using database = disposable(await ownedDatabase('plain'))
  for (const userId of users) await addOldRows(database.owner, userId)
  await addDeletedAccount(database.owner, users[0] ?? '')
  await beginLog('plain')
  expect(await runEveryJob(database)).toEqual({})
  expect(await leftRows('plain')).toEqual({})
  const statements = await statementsSince('plain')
  const searched = statements.filter(overAllShards).map((statement) => /from tandem\.(\w+)/.exec(statement)?.[1])
  expect(new Set(searched)).toEqual(new Set(tables))
  expect(statements.filter((statement) => /run_command_on_shards|set local citus/.test(statement))).toEqual([])
})

test('a shard is down: the others are searched and cleaned up, and it follows when it is back', async () => {
  await using database = disposable(await ownedDatabase('sharded'))
  for (const [shard, userId] of users.entries()) await addOldRows(database.owner, userId, shard === down)
  const gone = Array.from({ length: shardCount }, (_, shard) => userOfShard(shard, 1))
  for (const userId of gone) await addDeletedAccount(database.owner, userId)
  await cluster.admin((sql) => installCitusStandIn(sql, owner), 'sharded')
  await cluster.admin((sql) => sql`insert into stand_in.down values (${down})`, 'sharded')

  // What Citus does with a statement for all shards.
  const everyShard = database.owner`select count(*) from tandem.sync_entities where op = 'delete' and stamp < ${now}`
  await expect(everyShard).rejects.toMatchObject({ code: '08006' })

  await beginLog('sharded')
  const failures = await runEveryJob(database)
  const outage = { name: 'DatabaseUnavailable', reason: 'shard', message: expect.stringContaining(`1 of ${shardCount} shards of tandem.`) }
  expect(failures).toEqual(
    Object.fromEntries(['tombstones', 'history', 'logs', 'calls', 'keys', 'accounts'].map((job) => [job, expect.objectContaining(outage)])),
  )
  const ofDown = { ...Object.fromEntries(tables.map((table) => [table, [users[down]]])), deleted_accounts: [gone[down]] }
  expect(await leftRows('sharded')).toEqual(ofDown)

  const statements = await statementsSince('sharded')
  const searched = statements.filter((statement) => /run_command_on_shards/.test(statement))
  expect(searched.length).toBeGreaterThanOrEqual(tables.length)
  expect(statements.filter(overAllShards)).toEqual([])
  expect(statements.filter((statement) => statement === "set local citus.node_connection_timeout = '5s'").length).toBe(searched.length)

  await cluster.admin((sql) => sql`delete from stand_in.down`, 'sharded')
  expect(await runEveryJob(database)).toEqual({})
  expect(await leftRows('sharded')).toEqual({})
})

test('the script for Citus distributes each table once, as the owner of the schema', async () => {
  await using database = disposable(await ownedDatabase('script'))
  await cluster.admin((sql) => installDistributionStandIn(sql), 'script')
  const script = await readFile(join(import.meta.dirname, '../../../../docs/operations/citus.sql'), 'utf8')
  const calls = () =>
    cluster.admin((sql) => sql<{ name: string; column: string; beside: string }[]>`select * from stand_in.calls`, 'script')
  await database.owner.unsafe(script).simple()
  const [first, ...others] = await calls()
  expect(first).toEqual({ name: 'tandem.users', column: 'user_id', beside: 'none' })
  expect(others.filter(({ name }) => name === 'tandem.email_directory')).toEqual([
    { name: 'tandem.email_directory', column: 'email', beside: 'none' },
  ])
  const rest = others.filter(({ name }) => name !== 'tandem.email_directory')
  expect(new Set(rest.map(({ column, beside }) => `${column} ${beside}`))).toEqual(new Set(['user_id tandem.users']))
  await database.owner.unsafe(script).simple()
  expect(await calls()).toEqual([first, ...others])
  const [roles] = await cluster.admin((sql) => sql`select bool_and(rolcanlogin) as login from pg_roles where rolname like 'tandem\\_a%'`)
  expect(roles).toEqual({ login: true })
})

test.each(['plain', 'sharded'])('a locked user with more old rows than a search looks at does not hide the others (%s)', async (kind) => {
  const name = `locked_${kind}`
  await using database = disposable(await ownedDatabase(name))
  const [locked, other] = [userOfShard(1), userOfShard(1, 1)]
  await addOldRows(database.owner, locked, true)
  await addOldRows(database.owner, other)
  // The rows of the other one are the newest.
  await database.owner`update tandem.sync_entities set stamp = stamp + 1 where user_id = ${other}`
  if (kind === 'sharded') await cluster.admin((sql) => installCitusStandIn(sql, owner), name)

  const purging = database.owner.begin(async (holder) => {
    await holder`select from tandem.sync_heads where user_id = ${locked} for update`
    return await purgeTombstones(database, now).catch((error: unknown) => error)
  })
  expect(await purging).toMatchObject({ name: 'DatabaseUnavailable', reason: 'busy' })
  expect((await leftTombstones(name)).map(({ user_id }) => user_id)).toEqual([locked])
  await purgeTombstones(database, now)
  expect(await leftTombstones(name)).toEqual([])
})

const leftTombstones = (name: string) =>
  cluster.admin((sql) => sql<{ user_id: string }[]>`select distinct user_id from tandem.sync_entities where op = 'delete'`, name)

test('the sweep of orphaned files skips users of a shard that is down, and reports it', async () => {
  await using database = disposable(await ownedDatabase('files'))
  const known = newId(old)
  for (const userId of users) {
    await database.owner`insert into tandem.files (user_id, id, name, size, media_type, sha256, created_at)
      values (${userId}, ${known}, 'kept.txt', 1, 'text/plain', 'x', ${new Date(old).toISOString()})`
  }
  await cluster.admin((sql) => installCitusStandIn(sql, owner), 'files')
  await cluster.admin((sql) => sql`insert into stand_in.down values (${down})`, 'files')
  const kept = users.map((userId) => blobKey(userId, known))
  const orphans = users.map((userId) => blobKey(userId, newId(old)))
  const blobs = memoryBlobs([...kept, ...orphans])
  const cache = openInProcessCache({ log: () => undefined })
  const services = { database, blobs, cache, log: pino({ level: 'silent' }), now: () => now }
  await expect(sweepOrphanBlobs(services)).rejects.toMatchObject({ reason: 'shard' })
  expect([...blobs.keys].toSorted()).toEqual([...kept, orphans[down]].toSorted())

  await cluster.admin((sql) => sql`delete from stand_in.down`, 'files')
  await sweepOrphanBlobs(services)
  expect([...blobs.keys].toSorted()).toEqual(kept)
  await cache.close()
})

/** Keeps keys only. */
function memoryBlobs(first: readonly string[]): Blobs & { readonly keys: ReadonlySet<string> } {
  const keys = new Set(first)
  return {
    keys,
    kind: 'folder',
    async put(key, source) {
      const bytes = Buffer.concat(await Array.fromAsync(source))
      keys.add(key)
      return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    },
    get: async () => undefined,
    delete: async (key) => void keys.delete(key),
    list: async function* (prefix) {
      yield* [...keys].filter((key) => key.startsWith(prefix)).toSorted()
    },
    ping: async () => undefined,
  }
}

function disposable(database: Database): Database & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
