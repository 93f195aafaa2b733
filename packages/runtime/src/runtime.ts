// The desktop runtime, put together. Read from top to bottom, it is the program.
import { openHost } from './host/host.ts'

export interface RuntimeOptions {
  /** The folder of the built window. */
  readonly windowDir: string
  /** Where the window is served on loopback; a free port when absent. */
  readonly port?: number
  /** The address of the cloud backend that was started beside this runtime; null when there is none. */
  readonly backend: string | null
  log(line: string): void
}

export interface Runtime {
  /** The address of the window. */
  readonly url: string
  stop(): Promise<void>
}

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const host = await openHost(options)
  return { url: host.url, stop: () => host.stop() }
}
