import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { openDatabase } from './database.ts'
import { type Migration, migrate, migrationFolder, readMigrations } from './migrate.ts'

let folder: string
let test_: TestDatabase
let own: readonly Migration[]

beforeAll(async () => {
  own = await readMigrations()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-migrations-'))
  // An empty database: the template of the test run is already migrated.
  test_ = await testDatabase({ template: 'template0' })
  return async () => {
    await test_.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('every file starts with the oldest schema that may run alongside it', async () => {
  for (const { name } of own) {
    const [first] = (await readFile(join(migrationFolder, name), 'utf8')).split('\n')
    expect(first, name).toMatch(/^-- Runs beside servers of schema \d{4} or later\.?/)
  }
})

test('migrating twice has the same result as once', async () => {
  const { owner } = test_.database
  expect(await migrate(owner, own)).toEqual({ ok: true, applied: own.map(({ name }) => name) })
  const before = await snapshot()
  expect(await migrate(owner, own)).toEqual({ ok: true, applied: [] })
  expect(await snapshot()).toEqual(before)
})

test('nodes that start together share the work', async () => {
  const nodes = await Promise.all(Array.from({ length: 4 }, () => openDatabase(test_.target, () => undefined)))
  const results = await Promise.all(nodes.map((node) => migrate(node.owner, own)))
  await Promise.all(nodes.map((node) => node.close()))
  expect(results.flatMap((result) => (result.ok ? result.applied : [result.message])).sort()).toEqual(own.map(({ name }) => name))
})

test('a broken file changes nothing, and a corrected one continues from there', async () => {
  const { owner } = test_.database
  await write('0001-good.sql', 1, 'create table tandem.good (id integer)')
  await write('0002-bad.sql', 1, 'create table tandem.half (id integer); select 1 / 0')
  await expect(migrate(owner, await readMigrations(folder))).rejects.toMatchObject({ code: '22012' })
  expect(await snapshot()).toEqual(['good', 'schema_migrations'])
  await write('0002-bad.sql', 1, 'create table tandem.whole (id integer)')
  expect(await migrate(owner, await readMigrations(folder))).toEqual({ ok: true, applied: ['0002-bad.sql'] })
  expect(await snapshot()).toEqual(['good', 'schema_migrations', 'whole'])
})

test('a file that was changed after it was applied is refused; different line endings are not a change', async () => {
  const { owner } = test_.database
  await write('0001-a.sql', 1, 'create table tandem.a (id integer);\nselect 1')
  await migrate(owner, await readMigrations(folder))
  await write('0001-a.sql', 1, 'create table tandem.a (id integer);\r\nselect 1')
  expect(await migrate(owner, await readMigrations(folder))).toEqual({ ok: true, applied: [] })
  await write('0001-a.sql', 1, 'create table tandem.b (id integer)')
  expect(await migrate(owner, await readMigrations(folder))).toMatchObject({ ok: false, code: 'changed' })
})

test('an older server runs with a newer schema only if that schema allows it', async () => {
  const { owner } = test_.database
  await write('0001-a.sql', 1, 'select 1')
  const old = await readMigrations(folder)
  await write('0002-b.sql', 1, 'select 1')
  await migrate(owner, await readMigrations(folder))
  expect(await migrate(owner, old)).toEqual({ ok: true, applied: [] })
  await write('0003-c.sql', 2, 'select 1')
  await migrate(owner, await readMigrations(folder))
  expect(await migrate(owner, old)).toEqual({
    ok: false,
    code: 'too_old',
    message: 'the database has 0003-c.sql, which only servers of schema 0002 or later may use; update this server',
  })
})

test('a file without its first line, with a bad name or a duplicate number is an error', async () => {
  await writeFile(join(folder, '0001-a.sql'), 'select 1')
  await expect(readMigrations(folder)).rejects.toThrow('the first line must name the oldest schema that may run alongside it')
  await write('0001-a.sql', 1, 'select 1')
  await write('0001-b.sql', 1, 'select 1')
  await expect(readMigrations(folder)).rejects.toThrow('0001-b.sql: its number is already taken')
  await write('two.sql', 1, 'select 1')
  await expect(readMigrations(folder)).rejects.toThrow('two.sql: migrations are named like 0001-noun.sql')
})

async function write(name: string, beside: number, text: string): Promise<void> {
  await writeFile(join(folder, name), `-- Runs beside servers of schema ${String(beside).padStart(4, '0')} or later.\n${text}`)
}

async function snapshot(): Promise<string[]> {
  const rows = await test_.database.owner<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'tandem' order by table_name`
  return rows.map(({ name }) => name)
}
