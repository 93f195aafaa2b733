// A database of its own in the run's PostgreSQL, as a server process is told of it.
import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { DatabaseAddress } from '../packages/server/src/config/database-url.ts'
import { asAdministrator } from '../packages/server/src/database/test-database.ts'

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string
  readonly password: string
}

/** Empty: no schema, no roles of its own. */
export async function emptyDatabase(): Promise<OwnDatabase> {
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
