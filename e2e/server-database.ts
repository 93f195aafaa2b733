// A separate database in the run's PostgreSQL, with the settings for a server process.
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import type { DatabaseAddress } from '../packages/server/src/config/database-url.ts'
import { asAdministrator } from '../packages/server/test/support/test-database.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly password: string
}

/** Empty: no schema, no roles of its own. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { address, password } = inject('postgres')
  const name = `e2e_${randomBytes(8).toString('hex')}`
  await asAdministrator((sql) => sql`create database ${sql(name)} encoding UTF8 template template0`)
  return {
    url: urlOf({ ...address, database: name }),
    password,
    async [Symbol.asyncDispose]() {
      await asAdministrator((sql) => sql`drop database if exists ${sql(name)} with (force)`)
    },
  }
}

export function urlOf({ host, port, user, database, socket }: DatabaseAddress): string {
  const place = socket === undefined ? host : encodeURIComponent(socket.slice(0, socket.lastIndexOf('/')))
  return `postgres://${user}@${place}:${port}/${database}`
}

/** Every row of every table, as text. */
export async function dumpRows({ url, password }: TestDatabase): Promise<string> {
  const { address } = inject('postgres')
  const { host, port, user, socket } = address
  const sql = postgres({
    ...{ host, port, user, password, database: url.slice(url.lastIndexOf('/') + 1), max: 1 },
    ...(socket === undefined ? {} : { path: socket }),
  })
  try {
    const tables = await sql<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`
    const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select row_to_json(t)::text as row from ${name} t`)))
    return rows.flatMap((of) => of.map(({ row }) => row)).join('\n')
  } finally {
    await sql.end()
  }
}
