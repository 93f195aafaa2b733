import { startServer } from '@tandem/server'
import { untilStopped } from './signals.ts'

/** `tandem server`: the backend alone. Exit code 1 with one line a problem when it can't start. */
export async function server(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.error('tandem: server takes no arguments; it is configured by the environment (docs/operations.md lists the variables)')
    return 2
  }
  // Heard from the first moment on: an end that came while starting would leave PostgreSQL behind.
  const stopped = untilStopped()
  const start = await startServer(process.env)
  if (!start.ok) {
    for (const problem of start.problems) console.error(`tandem: ${problem}`)
    return 1
  }
  const { url, config } = start.server
  console.log(`Tandem backend at ${url} (${config.platform.kind} data, ${config.cache.kind} cache)`)
  if (config.env === 'development') console.log(`Its documentation: ${url}/swagger/index.html`)
  await stopped
  await start.server.stop()
  // At once: while the last handles close, a signal that is passed on late would end it instead.
  process.exit(0)
}
