// Starts the backend: configuration, connections, schema, features, listening; and stops it in the opposite order.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { buildApp } from './app.ts'
import { type Blobs, type BlobsTarget, openBlobs, StorageUnavailable } from './blobs/blobs.ts'
import { type Cache, openCache } from './cache/cache.ts'
import { probeCache } from './cache/probe.ts'
import { type Config, readConfig } from './config/config.ts'
import { parseDatabaseUrl } from './config/database-url.ts'
import { problemLine } from './config/problem.ts'
import { withKeptSecrets } from './config/secrets.ts'
import type { Environment } from './config/variables.ts'
import { type Database, type DatabaseTarget, openDatabase } from './database/database.ts'
import { EmbeddedPostgresError } from './database/embedded-error.ts'
import { startEmbeddedPostgres } from './database/embedded-postgres.ts'
import { readEpoch } from './database/epoch.ts'
import { migrate, readMigrations } from './database/migrate.ts'
import { probeDatabase } from './database/probe.ts'
import { openHub } from './realtime/hub.ts'
import { scheduleRetention } from './retention/schedule.ts'
import { endedSessions } from './token/ended-sessions.ts'
import { openTokens } from './token/tokens.ts'

const deadline = 10_000

export type Start =
  | { readonly ok: true; readonly server: Server }
  /** One line a problem, naming the variable and the cause, never a secret. */
  | { readonly ok: false; readonly problems: readonly string[] }

export interface Server {
  readonly url: string
  readonly config: Config
  /** Answers what was accepted, then lets go of everything. */
  stop(): Promise<void>
}

/** Everything that is opened, in order; closed in the opposite one, also when a later step fails. */
type Closers = (() => Promise<void>)[]

export async function startServer(environment: Environment, options: { log?: FastifyBaseLogger } = {}): Promise<Start> {
  const { env, notes } = await withKeptSecrets(environment)
  const read = readConfig(env)
  if (!read.ok) return { ok: false, problems: read.problems.map(problemLine) }
  const { config } = read
  const log = options.log ?? openLog(config)
  for (const note of [...notes, ...read.notes]) log.info(note)

  const closers: Closers = []
  try {
    const opened = await openParts(config, log, closers)
    if ('problems' in opened) return await giveUp(closers, opened.problems)
    return { ok: true, server: await serve(config, log, opened, closers) }
  } catch (error) {
    const problem = startProblem(error, config)
    if (problem === undefined) {
      await closeAll(closers)
      throw error
    }
    return await giveUp(closers, [problem])
  }
}

interface Parts {
  readonly database: Database
  readonly cache: Cache
  readonly blobs: Blobs
}

async function openParts(config: Config, log: FastifyBaseLogger, closers: Closers): Promise<Parts | { problems: readonly string[] }> {
  const line = (text: string) => log.info(text)
  const target = await databaseTarget(config, line, closers)
  const names =
    config.platform.kind === 'supabase'
      ? ({ url: 'DATABASE_URL', password: 'DATABASE_PASSWORD' } as const)
      : ({ url: 'BAAS_URL', password: 'BAAS_KEY' } as const)
  const [databaseProblem, cacheProblem] = await Promise.all([
    probeDatabase(target, names, deadline),
    config.cache.kind === 'redis' ? probeCache(config.cache, deadline) : undefined,
  ])
  const problems = [...(databaseProblem ? [problemLine(databaseProblem)] : []), ...(cacheProblem ? [cacheProblem] : [])]
  const blobs = await openBlobs(blobsTarget(config), line, deadline).catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error
    problems.push(
      `${config.platform.kind === 'postgres' ? 'STORAGE_URL' : 'BAAS_URL'}: the file storage can not be used (${error.message})`,
    )
    return undefined
  })
  if (problems.length > 0 || !blobs) return { problems }

  const database = await openDatabase(target, line)
  closers.push(() => database.close())
  const migrated = await migrate(database.owner, await readMigrations())
  if (!migrated.ok) return { problems: [`${names.url}: ${migrated.message}`] }
  if (migrated.applied.length > 0) log.info(`schema brought up to date: ${migrated.applied.join(', ')}`)
  const cache = await openCache(config.cache, line)
  closers.push(() => cache.close())
  return { database, cache, blobs }
}

async function serve(config: Config, log: FastifyBaseLogger, parts: Parts, closers: Closers): Promise<Server> {
  const now = () => Date.now()
  const hub = openHub(parts.cache, (line) => log.info(line))
  closers.push(() => hub.close())
  const epoch = await readEpoch(parts.database.owner)
  const services = {
    ...parts,
    config,
    log,
    hub,
    epoch,
    now,
    tokens: openTokens(config.jwt, undefined),
    endedSessions: endedSessions(parts.cache),
  }
  const app = await buildApp(services)
  closers.push(() => app.close())
  closers.push(scheduleRetention(services))
  const url = await app.listen({ host: config.host, port: config.port })
  return { url, config, stop: () => closeAll(closers) }
}

async function databaseTarget(config: Config, line: (text: string) => void, closers: Closers): Promise<DatabaseTarget> {
  const { platform } = config
  if (platform.kind === 'embedded') {
    const postgres = await startEmbeddedPostgres({ dir: platform.dir, password: platform.password, log: line })
    closers.push(() => postgres.stop())
    return { address: postgres.url, password: platform.password }
  }
  const [url, password] =
    platform.kind === 'postgres' ? [platform.url, platform.password] : [platform.database_url, platform.database_password]
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Error('the configuration was read with an address that can not be taken apart')
  return { address: parsed.address, password }
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

/** Failures that a person can mend get their line; anything else is a bug and keeps its stack. */
function startProblem(error: unknown, config: Config): string | undefined {
  if (error instanceof EmbeddedPostgresError) return `${error.code === 'wrong_password' ? 'BAAS_KEY' : 'BAAS_URL'}: ${error.message}`
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `PORT: ${config.port} is taken by another program; set PORT to a free one`
  if (code === 'EACCES') return `PORT: this user may not listen on ${config.port}; set PORT to one above 1023`
  if (code === 'EADDRNOTAVAIL') return `HOST: ${config.host} is no address of this machine`
  return undefined
}

async function giveUp(closers: Closers, problems: readonly string[]): Promise<Start> {
  await closeAll(closers)
  return { ok: false, problems }
}

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

function openLog(config: Config): FastifyBaseLogger {
  return pino({
    level: config.log_level,
    base: { service: 'tandem-server' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['req.headers', 'headers', 'authorization', 'token', 'password', 'payload', '*.password', '*.token', '*.refresh_token'],
      censor: '[redacted]',
    },
  })
}
