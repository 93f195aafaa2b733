// Whether PostgreSQL has room for the connections of all processes of this server.
import type { Sql } from 'postgres'
import type { DatabaseAddress } from '../config/database-url.ts'
import { connectionsPerProcess } from './database.ts'

/** For the first process, which migrates the database and starts the others, and for administrators. */
const others = 20

export function wantedConnections(workers: number): number {
  return connectionsPerProcess * workers + others
}

/** A warning, or undefined. A pooler has limits of its own. */
export async function roomProblem(owner: Sql, address: DatabaseAddress, workers: number): Promise<string | undefined> {
  if (address.pooled) return undefined
  const [row] = await owner<{ most: number }[]>`select current_setting('max_connections')::int as most`
  return row && row.most < connectionsPerProcess * workers ? crowdedWarning(row.most, workers) : undefined
}

export function crowdedWarning(most: number, workers: number): string {
  const enough = Math.floor((most - others) / connectionsPerProcess)
  const fewer = workers > 1 && enough >= 1 ? `, or WORKERS to ${enough}` : ''
  const processes = workers === 1 ? 'this server' : `${workers} workers`
  return (
    `PostgreSQL accepts ${most} connections, but ${processes} can open ${connectionsPerProcess * workers}: requests may have to wait. ` +
    `Set max_connections to at least ${wantedConnections(workers)}${fewer}`
  )
}
