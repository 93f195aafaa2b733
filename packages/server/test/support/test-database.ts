// A new, migrated database for one test file, copied from the template in the PostgreSQL of the run.
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import type { DatabaseAddress } from '../../src/config/database-url.ts'
import { type Database, type DatabaseTarget, openDatabase } from '../../src/database/database.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly database: Database
  readonly target: DatabaseTarget
  close(): Promise<void>
}

/** What global-postgres.ts provides to every test. */
export interface TestPostgres {
  readonly address: DatabaseAddress
  readonly password: string
  readonly template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres
  }
}

export async function testDatabase(options: { log?: (line: string) => void; template?: string } = {}): Promise<TestDatabase> {
  const { address, password, template } = inject('postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  await asAdministrator((sql) => sql`create database ${sql(name)} template ${sql(options.template ?? template)} strategy wal_log`)

  const target: DatabaseTarget = { address: { ...address, database: name }, password, max_connections: 5 }
  const database = await openDatabase(target, options.log ?? (() => undefined))
  const close = async () => {
    await database.close()
    await asAdministrator((sql) => sql`drop database if exists ${sql(name)} with (force)`)
  }
  return { database, target, close, [Symbol.asyncDispose]: close }
}

/** One statement in the run's PostgreSQL, outside every test database. */
export async function asAdministrator<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const { address, password } = inject('postgres')
  const { host, port, user } = address
  const sql = postgres({
    ...{ host, port, user, password, database: 'postgres', max: 1, fetch_types: false, onnotice: () => undefined },
    ...(address.socket === undefined ? {} : { path: address.socket }),
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
