import { fileURLToPath } from 'node:url'
import { startRuntime } from '@tandem/runtime'
import { startServer } from '@tandem/server'
import { untilStopped } from './signals.ts'

const windowDir = fileURLToPath(new URL('../../../desktop/dist/', import.meta.url))

/** `tandem start`: the backend on its embedded defaults, and the window over it. */
export async function start(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.error('tandem: start takes no arguments')
    return 2
  }
  // Heard from the first moment on: an end that came while starting would leave PostgreSQL behind.
  const stopped = untilStopped()
  const backend = await startServer({ LOG_LEVEL: 'warn', ...process.env })
  if (!backend.ok) {
    console.error('tandem: the backend could not start, so the window comes up without it:')
    for (const problem of backend.problems) console.error(`  ${problem}`)
  }
  const backendUrl = backend.ok ? backend.server.url : null
  const runtime = await startRuntime({ windowDir, backend: backendUrl, log: (line) => console.error(`tandem: ${line}`) })

  console.log(`Tandem is open at   ${runtime.url}`)
  if (backendUrl) console.log(`The backend is at    ${backendUrl}   (documentation: ${backendUrl}/swagger/index.html)`)
  console.log('What works today: the cloud backend and the contract. The desktop does not run agents yet. Ctrl-C ends it.')
  await stopped
  await runtime.stop()
  if (backend.ok) await backend.server.stop()
  return 0
}
