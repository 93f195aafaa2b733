// Migrates the schema: numbered SQL files, each in a transaction, one node at a time.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql, TransactionSql } from 'postgres'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
  /** The oldest schema whose servers may still run alongside this one. */
  readonly beside: number
}

export type MigrateResult =
  | { readonly ok: true; readonly applied: readonly string[] }
  | { readonly ok: false; readonly code: 'changed' | 'too_old'; readonly message: string }

export const migrationFolder = join(import.meta.dirname, 'migrations')

const fileName = /^(\d{4})-[a-z0-9-]+\.sql$/
const opening = /^-- Runs beside servers of schema (\d{4}) or later\.?/
const lockKey = 7_263_510_402

/** Reads the files in order. Throws for an invalid name, number or first line, which is a bug. */
export async function readMigrations(folder: string = migrationFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      const number = Number(fileName.exec(name)?.[1])
      const beside = Number(opening.exec(text)?.[1])
      if (!(number > 0)) throw new Error(`${name}: migrations are named like 0001-noun.sql`)
      if (!(beside <= number)) throw new Error(`${name}: the first line must name the oldest schema that may run alongside it`)
      return { number, name, text, beside, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
  const twice = migrations.find(({ number }, index) => migrations[index - 1]?.number === number)
  if (twice) throw new Error(`${twice.name}: its number is already taken`)
  return migrations
}

/** Safe to run again, and on several nodes at once: the lock and the record are in the same transaction as the change. */
export async function migrate(owner: Sql, migrations: readonly Migration[]): Promise<MigrateResult> {
  await owner.begin(async (sql) => {
    await takeTurn(sql)
    await sql`create schema if not exists tandem`
    await sql`
      create table if not exists tandem.schema_migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        beside integer not null,
        applied_at timestamptz not null default now()
      )`
  })
  const refusal = await refusalOf(owner, migrations)
  if (refusal) return refusal

  const applied: string[] = []
  for (const migration of migrations) {
    if (await applyOnce(owner, migration)) applied.push(migration.name)
  }
  return { ok: true, applied }
}

async function refusalOf(owner: Sql, migrations: readonly Migration[]): Promise<MigrateResult | undefined> {
  const stored = await owner<Pick<Migration, 'number' | 'name' | 'checksum' | 'beside'>[]>`
    select number, name, checksum, beside from tandem.schema_migrations order by number`
  const newest = migrations.at(-1)?.number ?? 0
  for (const { number, name, checksum, beside } of stored) {
    const known = migrations.find((migration) => migration.number === number)
    if (known && known.checksum !== checksum) {
      return {
        ok: false,
        code: 'changed',
        message: `migration ${known.name} was changed after it was applied as ${name}; restore its text`,
      }
    }
    if (!known && beside > newest) {
      return {
        ok: false,
        code: 'too_old',
        message: `the database has ${name}, which only servers of schema ${String(beside).padStart(4, '0')} or later may use; update this server`,
      }
    }
  }
  return undefined
}

async function applyOnce(owner: Sql, migration: Migration): Promise<boolean> {
  return owner.begin(async (sql) => {
    await takeTurn(sql)
    const [done] = await sql`select 1 from tandem.schema_migrations where number = ${migration.number}`
    if (done) return false
    await sql.unsafe(migration.text)
    const { number, name, checksum, beside } = migration
    await sql`insert into tandem.schema_migrations ${sql({ number, name, checksum, beside })}`
    return true
  })
}

/** Waits for other nodes without a limit; then a change may take long, but not wait forever for a busy table. */
async function takeTurn(sql: TransactionSql): Promise<void> {
  await sql`set local statement_timeout = 0; set local lock_timeout = 0; set local search_path = pg_catalog`.simple()
  await sql`select pg_advisory_xact_lock(${lockKey})`
  await sql`set local lock_timeout = '30s'`
}
