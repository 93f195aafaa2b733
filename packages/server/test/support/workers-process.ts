// A server with several workers, in its own process: `tandem server` without the command line. Settings are arguments.
import cluster from 'node:cluster'
import { startServer } from '../../src/main.ts'

const settings = Object.fromEntries(process.argv.slice(2).map((setting) => setting.split(/=(.*)/s, 2)))
// A worker that is told to fail ends as if it had crashed at its start.
if (cluster.isWorker && settings.FAIL_WORKERS === 'yes') process.exit(3)
const { FAIL_WORKERS: _, ...environment } = settings
const start = await startServer(environment, { workers: true })
process.on('SIGTERM', async () => {
  if (start.ok) await start.server.stop()
  process.exit(0)
})
const pids = () => Object.values(cluster.workers ?? {}).flatMap((worker) => worker?.process.pid ?? [])
if (cluster.isPrimary) {
  process.send?.(start.ok ? { url: start.server.url } : { problems: start.problems })
  process.on('message', () => process.send?.({ pids: pids() }))
}
