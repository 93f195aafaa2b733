// Starts one PostgreSQL for the whole test run and prepares the migrated template of the test databases.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import type { TestPostgres } from './test-database.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'tandem-test-'))
  const password = 'only-for-this-test-run'
  const server = await startEmbeddedPostgres({ dir, password, log: () => undefined })

  const stop = async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    const database = await openDatabase({ address: server.url, password }, () => undefined)
    try {
      // Nothing here outlives the run, so it need not wait for the disk; creating and dropping databases takes most of the time.
      for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
        await database.owner.unsafe(`alter system set ${setting} = off`)
      }
      await database.owner`select pg_reload_conf()`
      const result = await migrate(database.owner, await readMigrations())
      if (!result.ok) throw new Error(result.message)
    } finally {
      await database.close()
    }
  } catch (error) {
    await stop()
    throw error
  }
  project.provide('postgres', { address: server.url, password, template: server.url.database } satisfies TestPostgres)
  return stop
}
