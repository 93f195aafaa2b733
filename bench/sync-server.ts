// The backend in a process of its own, on embedded PostgreSQL with its defaults. Settings come as arguments, its address goes over IPC.
import { startServer } from '../packages/server/src/main.ts'

const started = await startServer(Object.fromEntries(process.argv.slice(2).map((setting) => setting.split(/=(.*)/s, 2))))
if (!started.ok) throw new Error(started.problems.join('\n'))
process.once('SIGTERM', () => started.server.stop().then(() => process.exit(0)))
process.send?.({ url: started.server.url })
