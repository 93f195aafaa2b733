import { setTimeout as sleep } from 'node:timers/promises'
import { isWorker, startServer } from '@tandem/server'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { waitForStopSignal } from './signals.ts'

const usage = explainedUsage('tandem server', 'Starts the backend. It is configured with environment variables (see docs/operations.md).')

/** For a start that is interrupted: enough to finish what it is doing, unless that waits for others. */
const startMilliseconds = 5_000
/** Longer than requests and PostgreSQL get to finish. */
const stopMilliseconds = 45_000

/** `tandem server`: only the backend. Exit code 1 with one line per problem if it cannot start. */
export async function server(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, {}, usage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage('server takes no arguments', usage)
  // Registered first: a signal during the start would otherwise leave PostgreSQL running.
  const stopped = waitForStopSignal()
  const starting = startServer(process.env, { workers: true })
  const start = await Promise.race([starting, stopped.then(() => within(startMilliseconds, starting))])
  // What was opened by then keeps running or is found by the next start; a start that hangs must not keep the process alive.
  if (!start) process.exit(143)
  if (!start.ok) {
    for (const problem of start.problems) console.error(`tandem: ${problem}`)
    return 1
  }
  const { url, config } = start.server
  if (!isWorker) console.log(`Tandem server at ${url} (${config.platform.kind} data, ${config.cache.kind} cache)`)
  if (!isWorker && config.env === 'development') console.log(`API documentation: ${url}/swagger/index.html`)
  await stopped
  await within(stopMilliseconds, start.server.stop())
  // Immediately: while the last handles close, a signal that is forwarded late would kill the process.
  process.exit(0)
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  return await Promise.race([work, sleep(milliseconds, undefined, { ref: false })])
}
