import { fileURLToPath } from 'node:url'
import { FolderInUseError, openRuntime, type Runtime, startRuntime } from '@tandem/runtime'
import { startServer } from '@tandem/server'
import { homeFolder } from '../desk/home.ts'
import { localGateway } from './local-gateway.ts'
import { untilStopped } from './signals.ts'

const windowDir = fileURLToPath(new URL('../../../desktop/dist/', import.meta.url))
const log = (line: string) => console.error(`tandem: ${line}`)

/** `tandem start`: the runtime, the backend on its embedded defaults, and the window over both. */
export async function start(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.error('tandem: start takes no arguments')
    return 2
  }
  // Heard from the first moment on: an end that came while starting would leave PostgreSQL behind.
  const stopped = untilStopped()
  const runtime = ownRuntime(homeFolder())
  if (!runtime) return 1
  const backend = await startServer({ LOG_LEVEL: 'warn', ...process.env })
  if (!backend.ok) {
    console.error('tandem: the backend could not start, so the window comes up without it:')
    for (const problem of backend.problems) console.error(`  ${problem}`)
  }
  const backendUrl = backend.ok ? backend.server.url : null
  if (backendUrl) runtime.offerModels(localGateway(backendUrl, homeFolder()))
  const window = await startRuntime({ windowDir, backend: backendUrl, runtime, log })

  console.log(`Tandem is open at   ${window.windowUrl()}`)
  if (backendUrl) console.log(`The backend is at    ${backendUrl}   (documentation: ${backendUrl}/swagger/index.html)`)
  console.log('Open the window and say what you want, or use another terminal: tandem run "…". Ctrl-C ends it.')
  await stopped
  await window.stop()
  await runtime.stop()
  if (backend.ok) await backend.server.stop()
  // At once: while the last handles close, a signal that is passed on late would end it instead.
  process.exit(0)
}

/** Null, said why, while another one holds the folder. */
function ownRuntime(home: string): Runtime | null {
  try {
    return openRuntime({ home, workspace: process.cwd(), environment: process.env, log })
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
    console.error(`tandem: ${error.message}`)
    return null
  }
}
