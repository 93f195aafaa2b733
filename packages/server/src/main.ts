// Starts the backend: configuration, parts, features, listening; and stops it in the opposite order.
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { problemLine } from './config/problem.ts'
import { withKeptSecrets } from './config/secrets.ts'
import type { Environment } from './config/variables.ts'
import { readEpoch, renewEpoch } from './database/epoch.ts'
import { openGateway } from './llm/gateway.ts'
import { readLlmFile } from './llm/provider/read-file.ts'
import { type Closers, openParts, type Parts } from './parts.ts'
import { openHub } from './realtime/hub.ts'
import { scheduleRetention } from './retention/schedule.ts'
import { startProblem } from './start-problem.ts'
import { endedSessions } from './token/ended-sessions.ts'
import { openTokens } from './token/tokens.ts'

/** One line a problem, naming the variable and the cause, never a secret. */
type Outcome<Result> = ({ readonly ok: true } & Result) | { readonly ok: false; readonly problems: readonly string[] }

export interface Server {
  readonly url: string
  readonly config: Config
  /** Answers what was accepted, then lets go of everything. */
  stop(): Promise<void>
}

export async function startServer(
  environment: Environment,
  options: { log?: FastifyBaseLogger } = {},
): Promise<Outcome<{ server: Server }>> {
  return await withParts(environment, options.log, async (config, log, parts, closers) => ({
    server: await serve(config, log, parts, closers),
  }))
}

/** Ends the restore of a backup: devices see another epoch and send everything they hold once more. */
export async function renewServerEpoch(environment: Environment): Promise<Outcome<{ epoch: string }>> {
  return await withParts(environment, pino({ level: 'silent' }), async (_config, _log, { database }, closers) => {
    const epoch = await renewEpoch(database.owner)
    await closeAll(closers)
    return { epoch }
  })
}

type Work<Result> = (config: Config, log: FastifyBaseLogger, parts: Parts, closers: Closers) => Promise<Result>

async function withParts<Result>(
  environment: Environment,
  given: FastifyBaseLogger | undefined,
  work: Work<Result>,
): Promise<Outcome<Result>> {
  const closers: Closers = []
  try {
    const { env, notes } = await withKeptSecrets(environment)
    const read = readConfig(env, await readLlmFile(env))
    if (!read.ok) return { ok: false, problems: read.problems.map(problemLine) }
    const { config } = read
    const log = given ?? openLog(config)
    for (const note of [...notes, ...read.notes]) log.info(note)

    const opened = await openParts(config, environment, log, closers)
    if (!('problems' in opened)) return { ok: true, ...(await work(config, log, opened, closers)) }
    await closeAll(closers)
    return { ok: false, problems: opened.problems }
  } catch (error) {
    await closeAll(closers)
    const problem = startProblem(error, environment)
    if (problem === undefined) throw error
    return { ok: false, problems: [problem] }
  }
}

async function serve(config: Config, log: FastifyBaseLogger, parts: Parts, closers: Closers): Promise<Server> {
  const now = () => Date.now()
  const hub = openHub(parts.cache, (line) => log.info(line))
  closers.push(() => hub.close())
  const gateway = openGateway({ ...parts, log, now }, config.llm)
  closers.push(() => gateway.close())
  const epoch = await readEpoch(parts.database.owner)
  const services = {
    ...parts,
    config,
    log,
    hub,
    gateway,
    epoch,
    now,
    tokens: openTokens(config.jwt, undefined),
    endedSessions: endedSessions(parts.cache),
  }
  const app = await buildApp(services)
  closers.push(scheduleRetention(services))
  // Closed before all else: what was accepted is answered first, whatever else is under way.
  closers.push(() => app.close())
  const url = await app.listen({ host: config.host, port: config.port })
  return { url, config, stop: () => closeAll(closers) }
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
