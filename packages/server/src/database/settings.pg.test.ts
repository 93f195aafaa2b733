// Settings of the database, the role and the locale that an administrator may have changed for other programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestCluster, type TestCluster } from '../../test/support/test-cluster.ts'
import { listFiles } from '../file/store.ts'
import { newId } from '../http/id.ts'
import { listLogs } from '../log/store.ts'
import { listWorkflows } from '../workflow/store.ts'
import { type Database, openDatabase } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'

const strange = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  timezone: 'Asia/Kathmandu',
  extra_float_digits: '-15',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  row_security: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  statement_timeout: '0',
  search_path: 'public',
}
const userId = '0f4b0c3e-1f5d-4b52-9f0a-3f1f2f3f4f5f'
let cluster: TestCluster

beforeAll(async () => {
  cluster = await startTestCluster()
  await cluster.admin((sql) => sql.unsafe(`create database strange template template0 locale_provider libc locale 'C'`))
  for (const [name, value] of Object.entries(strange)) {
    await cluster.admin((sql) => sql.unsafe(`alter database strange set ${name} = ${name === 'search_path' ? value : `'${value}'`}`))
  }
  await using direct = await open(false)
  expect(await migrate(direct.database.owner, await readMigrations())).toMatchObject({ ok: true })
})
afterAll(() => cluster[Symbol.asyncDispose]())

describe.each([
  ['directly', false],
  ['behind a transaction pooler', true],
])('%s', (_, pooled) => {
  test('statements use our settings, not those of the database', async () => {
    await using opened = await open(pooled)
    const seen = await opened.database.asUser(userId, async (sql) => {
      const rows = await sql<{ name: string; value: string }[]>`
        select name, current_setting(name) as value from unnest(${[...Object.keys(strange), 'transaction_isolation']}::text[]) name`
      return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
    })
    expect(seen).toEqual({
      datestyle: 'ISO, YMD',
      intervalstyle: 'postgres',
      bytea_output: 'hex',
      timezone: 'UTC',
      extra_float_digits: '1',
      array_nulls: 'on',
      standard_conforming_strings: 'on',
      transform_null_equals: 'off',
      row_security: 'on',
      default_transaction_isolation: 'read committed',
      default_transaction_deferrable: 'off',
      statement_timeout: '10s',
      search_path: 'pg_catalog',
      transaction_isolation: 'read committed',
    })
  })

  test('dates, bytes and numbers are read unchanged', async () => {
    await using opened = await open(pooled)
    const [row] = await opened.database.asAccounts(
      (sql) => sql`
        select '2026-02-01T03:04:05.678Z'::timestamptz as at, decode('00ff5c', 'hex') as bytes, 0.1::float8 + 0.2::float8 as sum,
          ('{NULL}'::text[])[1] is null as absent`,
    )
    const at = new Date('2026-02-01T03:04:05.678Z')
    expect({ ...row }).toEqual({ at, bytes: Buffer.from([0, 255, 0x5c]), sum: 0.1 + 0.2, absent: true })
  })

  test('a transaction of the owner is read committed', async () => {
    await using opened = await open(pooled)
    expect([...(await opened.database.owner.begin((sql) => sql`show transaction_isolation`))]).toEqual([
      { transaction_isolation: 'read committed' },
    ])
  })
})

test('a search ignores case beyond ASCII, even if the locale of the database does not support it', async () => {
  await using opened = await open(false)
  const now = new Date()
  const found = await opened.database.asUser(userId, async (sql) => {
    await sql`insert into tandem.files (user_id, id, name, size, media_type, sha256, created_at)
      values (${userId}, ${newId(1)}, 'Übersicht Ärzte.pdf', 1, 'text/plain', ${'0'.repeat(64)}, ${now})`
    await sql`insert into tandem.workflows (user_id, id, name, description, definition, node_count, created_at, updated_at)
      values (${userId}, ${newId(1)}, 'Plan', 'ΣΊΣΥΦΟΣ rolls', '{}', 1, ${now}, ${now})`
    await sql`insert into tandem.log_records (user_id, id, received_at, ts, level, message, fields)
      values (${userId}, ${newId(1)}, ${now}, ${now}, 'info', 'ПРИВЕТ (100%)', '{}')`
    return {
      files: (await listFiles(sql, userId, { q: 'übersicht ä' }, 10)).map(({ name }) => name),
      workflows: (await listWorkflows(sql, userId, { q: 'σίσυφος' }, 10)).map(({ name }) => name),
      logs: (await listLogs(sql, userId, { q: 'привет (100%' }, 10)).records.map(({ message }) => message),
      none: await listFiles(sql, userId, { q: 'U.ersicht' }, 10),
    }
  })
  expect(found).toEqual({ files: ['Übersicht Ärzte.pdf'], workflows: ['Plan'], logs: ['ПРИВЕТ (100%)'], none: [] })
})

async function open(pooled: boolean): Promise<{ database: Database } & AsyncDisposable> {
  const database = await openDatabase(
    { address: { ...cluster.address, database: 'strange', pooled }, password: cluster.password },
    () => undefined,
  )
  return { database, [Symbol.asyncDispose]: () => database.close() }
}
