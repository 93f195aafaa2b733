// One server per data folder. The claim is a session lock in PostgreSQL, so that a killed server cannot leave one behind.
import postgres from 'postgres'
import type { DatabaseAddress } from '../config/database-url.ts'
import { EmbeddedPostgresError } from './embedded-error.ts'

export interface FolderClaim {
  /** Settles when the connection with the claim is lost. */
  readonly lost: Promise<void>
  release(): Promise<void>
}

const lockKey = 7_263_510_401
const patience = 2_000

/** Claims the folder for this process and creates the database if it is missing. */
export async function claimFolder(address: DatabaseAddress, password: string, folder: string): Promise<FolderClaim> {
  const { promise: lost, resolve: markLost } = Promise.withResolvers<void>()
  const sql = postgres({
    host: address.host,
    port: address.port,
    ...(address.socket === undefined ? {} : { path: address.socket }),
    user: address.user,
    password,
    database: 'postgres',
    max: 1,
    max_lifetime: null,
    connect_timeout: 10,
    fetch_types: false,
    connection: { application_name: `tandem server ${process.pid}` },
    onnotice: () => undefined,
    onclose: () => markLost(),
  })
  try {
    // The session of a server that was just killed ends after a moment, not immediately.
    for (const start = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 100))) {
      const [taken] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as taken`
      if (taken?.taken) break
      if (Date.now() - start > patience) throw await inUse(sql, folder)
    }
    const [present] = await sql`select 1 from pg_database where datname = ${address.database}`
    if (!present) await sql`create database ${sql(address.database)}`
  } catch (error) {
    await sql.end({ timeout: 1 })
    throw explain(error, folder)
  }
  return { lost, release: () => sql.end({ timeout: 1 }) }
}

async function inUse(sql: postgres.Sql, folder: string): Promise<EmbeddedPostgresError> {
  const [holder] = await sql<{ application_name: string }[]>`
    select application_name from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = ${lockKey}`
  const who = holder?.application_name.replace(/^tandem server /, 'process ') ?? 'another process'
  return new EmbeddedPostgresError('in_use', `${folder} is in use by another server (${who}); stop it, or give this one its own folder`)
}

function explain(error: unknown, folder: string): unknown {
  if (error instanceof postgres.PostgresError && error.code === '28P01') {
    return new EmbeddedPostgresError(
      'wrong_password',
      `is not the password of the PostgreSQL in ${folder}; set the one it was created with`,
    )
  }
  return error
}
