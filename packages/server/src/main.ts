// Starts the backend: configuration, parts, features, listening; and stops it in reverse order.
// Modules are loaded by the step that needs them: a wrong setting is reported before a thousand files are read and compiled.
import type { FastifyBaseLogger } from 'fastify'
import { type Closers, closeAll } from './closers.ts'
import { type Config, readConfig } from './config/config.ts'
import { readLlmFile } from './config/llm/read-file.ts'
import { problemLine } from './config/problem.ts'
import { withGeneratedSecrets } from './config/secrets.ts'
import type { Environment } from './config/variables.ts'
import type { Parts } from './parts.ts'
import type { Server } from './serve.ts'
import { startProblem } from './start-problem.ts'
import { isWorker, joinMetricsOfNode, superviseWorkers, WorkerFailed, workerDatabase } from './workers.ts'

export type { Server } from './serve.ts'
export { isWorker } from './workers.ts'

/** One line per problem, with the variable and the cause, never a secret. */
type Outcome<Result> = ({ readonly ok: true } & Result) | { readonly ok: false; readonly problems: readonly string[] }

export interface StartOptions {
  readonly log?: FastifyBaseLogger
  /** Whether WORKERS is used. A worker runs the whole program again, so only a program that does nothing else may allow it. */
  readonly workers?: boolean
}

export async function startServer(environment: Environment, options: StartOptions = {}): Promise<Outcome<{ server: Server }>> {
  return await withParts(environment, options.log, async (config, log, parts, closers) => {
    const several = config.workers > 1 && !isWorker
    if (several && options.workers) return { server: await superviseWorkers(config, log, parts.address, closers) }
    if (several) log.warn('WORKERS: is only used by npm run server; this is one process')
    const { serve } = await import('./serve.ts')
    return { server: await serve(config, log, parts, closers, joinMetricsOfNode()) }
  })
}

/** Completes the restore of a backup: devices see another epoch and push everything again. */
export async function renewServerEpoch(environment: Environment): Promise<Outcome<{ epoch: string }>> {
  const { default: pino } = await import('pino')
  return await withParts(environment, pino({ level: 'silent' }), async (_config, _log, { database }, closers) => {
    const { renewEpoch } = await import('./database/epoch.ts')
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
    const { env, notes } = await withGeneratedSecrets(environment)
    const read = readConfig(env, await readLlmFile(env))
    if (!read.ok) return { ok: false, problems: read.problems.map(problemLine) }
    const { config } = read
    const log = given ?? (await import('./logger.ts')).openLogger(config)
    for (const note of [...notes, ...read.notes]) log.info(note)

    const { openParts } = await import('./parts.ts')
    const opened = await openParts(config, environment, log, closers, workerDatabase())
    if (!('problems' in opened)) return { ok: true, ...(await work(config, log, opened, closers)) }
    await closeAll(closers)
    return { ok: false, problems: opened.problems }
  } catch (error) {
    await closeAll(closers)
    if (error instanceof WorkerFailed) return { ok: false, problems: [`WORKERS: ${error.message}`] }
    const problem = startProblem(error, environment)
    if (problem === undefined) throw error
    return { ok: false, problems: [problem] }
  }
}
