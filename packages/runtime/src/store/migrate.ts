// Numbered SQL files, each applied once, in order. The database stores the number of the last one. A new database gets their result at once.
import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { synchronizedTriggers } from './synchronized.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Written by `scripts/local-schema.ts`. */
const schema = new URL('./schema.sql', import.meta.url)

class NewerDatabaseError extends Error {
  constructor(found: number, known: number) {
    super(
      `the data was written by a newer Tandem (its schema is version ${found}, this Tandem supports up to ${known}): update Tandem, or use another folder`,
    )
    this.name = 'NewerDatabaseError'
  }
}

export function migrate(database: DatabaseSync): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const known = files.length
  const applied = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (applied > known) throw new NewerDatabaseError(applied, known)
  if (applied === known) return
  database.exec('BEGIN IMMEDIATE')
  try {
    const missing = applied === 0 ? [schema] : files.slice(applied).map((file) => new URL(file, folder))
    for (const file of missing) database.exec(readFileSync(file, 'utf8'))
    database.exec(synchronizedTriggers())
    database.exec(`PRAGMA user_version = ${known}`)
    database.exec('COMMIT')
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
