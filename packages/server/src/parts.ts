// The parts of the backend, opened according to the configuration: every problem is reported at once.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { type Blobs, type BlobsTarget, openBlobs } from './blobs/blobs.ts'
import { type Cache, openCache } from './cache/cache.ts'
import { probeCache } from './cache/probe.ts'
import type { Closers } from './closers.ts'
import type { Config } from './config/config.ts'
import { type DatabaseAddress, parseDatabaseUrl } from './config/database-url.ts'
import { problemLine } from './config/problem.ts'
import type { Environment } from './config/variables.ts'
import { roomProblem, wantedConnections } from './database/connections.ts'
import { type Database, type DatabaseTarget, openDatabase } from './database/database.ts'
import { startEmbeddedPostgres } from './database/embedded-postgres.ts'
import { migrate, readMigrations } from './database/migrate.ts'
import { type ProbeNames, probeDatabase, probeRoles } from './database/probe.ts'
import { startProblem, storageProblem } from './start-problem.ts'
import { type KeySetName, probeKeySet } from './token/probe.ts'

/** For each part, all checked concurrently: including the startup of Node, a start that fails ends within 10 s. */
const deadline = 5_000

export interface Parts {
  readonly database: Database
  readonly cache: Cache
  readonly blobs: Blobs
  /** Where the database is, for workers. */
  readonly address: DatabaseAddress
}

interface Problems {
  readonly problems: readonly string[]
}

/** `given`: the database that another process of this server has opened. */
export async function openParts(
  config: Config,
  env: Environment,
  log: FastifyBaseLogger,
  closers: Closers,
  given?: DatabaseAddress,
): Promise<Parts | Problems> {
  const line = (text: string) => log.info(text)
  const names =
    config.platform.kind === 'supabase'
      ? ({ url: 'DATABASE_URL', password: 'DATABASE_PASSWORD' } as const)
      : ({ url: 'BAAS_URL', password: 'BAAS_KEY' } as const)
  // Each part is checked regardless of the others: every problem is reported at once.
  const [data, cacheProblem, keySetProblem] = await Promise.all([
    openData(config, env, names, line, closers, given),
    config.cache.kind === 'redis' ? probeCache(config.cache, deadline) : undefined,
    config.jwt.kind === 'jwks' ? probeKeySet(config.jwt.url, keySetName(config, config.jwt.url), deadline) : undefined,
  ])
  const problems = [
    ...('problems' in data ? data.problems : []),
    ...(cacheProblem ? [cacheProblem] : []),
    ...(keySetProblem ? [problemLine(keySetProblem)] : []),
  ]
  if ('problems' in data || problems.length > 0) return { problems }
  const { target, blobs } = data

  const database = await openDatabase(target, line)
  closers.push(() => database.close())
  const migrated = await migrate(database.owner, await readMigrations())
  if (!migrated.ok) return { problems: [`${names.url}: ${migrated.message}`] }
  const rolesProblem = await probeRoles(database, names)
  if (rolesProblem) return { problems: [problemLine(rolesProblem)] }
  if (migrated.applied.length > 0) log.info(`applied database migrations: ${migrated.applied.join(', ')}`)
  const crowded = given ? undefined : await roomProblem(database.owner, target.address, config.workers)
  if (crowded !== undefined) log.warn(crowded)
  const cache = await openCache(config.cache, line)
  closers.push(() => cache.close())
  return { database, cache, blobs, address: target.address }
}

interface Data {
  readonly target: DatabaseTarget
  readonly blobs: Blobs
}

async function openData(
  config: Config,
  env: Environment,
  names: ProbeNames,
  line: (text: string) => void,
  closers: Closers,
  given: DatabaseAddress | undefined,
): Promise<Data | Problems> {
  let target: DatabaseTarget
  try {
    target = await databaseTarget(config, line, closers, given)
  } catch (error) {
    const problem = startProblem(error, env)
    if (problem === undefined) throw error
    return { problems: [problem] }
  }
  const place = blobsTarget(config)
  const [databaseProblem, blobs] = await Promise.all([
    probeDatabase(target, names, deadline),
    openBlobs(place, line, deadline).catch((error: unknown) => storageProblem(error, place.kind, config.platform.kind)),
  ])
  const problems = databaseProblem ? [problemLine(databaseProblem)] : []
  if (typeof blobs === 'string') return { problems: [...problems, blobs] }
  return problems.length > 0 ? { problems } : { target, blobs }
}

async function databaseTarget(
  config: Config,
  line: (text: string) => void,
  closers: Closers,
  given: DatabaseAddress | undefined,
): Promise<DatabaseTarget> {
  const { platform } = config
  if (platform.kind === 'embedded' && given) return { address: given, password: platform.password }
  if (platform.kind === 'embedded') {
    const connections = wantedConnections(config.workers)
    const postgres = await startEmbeddedPostgres({ dir: platform.dir, password: platform.password, connections, log: line })
    closers.push(() => postgres.stop())
    return { address: postgres.url, password: platform.password }
  }
  const [url, password] =
    platform.kind === 'postgres' ? [platform.url, platform.password] : [platform.database_url, platform.database_password]
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error('the configuration contains an address that cannot be parsed')
  return { address: parsed.address, password }
}

/** The project's own key set has the address of the project. */
function keySetName({ platform }: Config, url: string): KeySetName {
  return platform.kind === 'supabase' && url.startsWith(`${new URL(platform.url).origin}/`) ? 'BAAS_URL' : 'BAAS_JWKS'
}

function blobsTarget({ platform }: Config): BlobsTarget {
  switch (platform.kind) {
    case 'embedded':
      return { kind: 'folder', folder: join(platform.dir, 'files') }
    case 'postgres':
      return platform.storage.kind === 'folder' ? { kind: 'folder', folder: platform.storage.dir } : platform.storage
    case 'supabase':
      return { kind: 'supabase', url: platform.url, key: platform.service_key, bucket: 'tandem-files' }
  }
}
