// A backend on its own database, and users who sign in to it.
import { randomBytes } from 'node:crypto'
import type { TestUser } from './cloud-device.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { endServers, startServerProcess } from './server-process.ts'

export interface CloudServer extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
}

export async function startCloudServer(): Promise<CloudServer> {
  const database = await emptyDatabase()
  const server = await startServerProcess({ BAAS_URL: database.url, BAAS_KEY: database.password, LOG_LEVEL: 'warn' })
  return {
    url: server.url,
    database,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await endServers()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A user that is new to the backend. */
export function newUser(): TestUser {
  return { email: `${randomBytes(8).toString('hex')}@example.org`, password: `four green ${randomBytes(6).toString('hex')}` }
}
