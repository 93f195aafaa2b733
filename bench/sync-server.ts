// The backend in its own process, on embedded PostgreSQL with its defaults. Settings are arguments; its address is sent over IPC.
// With WORKERS, each worker runs this file again.
import { isWorker, startServer } from '../packages/server/src/main.ts'

const started = await startServer(Object.fromEntries(process.argv.slice(2).map((setting) => setting.split(/=(.*)/s, 2))), { workers: true })
if (!started.ok) throw new Error(started.problems.join('\n'))
process.once('SIGTERM', () => started.server.stop().then(() => process.exit(0)))
if (!isWorker) process.send?.({ url: started.server.url })
