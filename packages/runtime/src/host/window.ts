// The window, served on loopback for a runtime.
import { type HostRuntime, openHost } from './host.ts'

export interface WindowOptions {
  /** The folder of the built window. */
  readonly windowDir: string
  /** The loopback port of the window; by default a free port. */
  readonly port?: number
  /** The runtime whose commands the window and other programs of the same user may call. */
  readonly runtime: HostRuntime & { testSandbox?(): Promise<void> }
  /** Called with the number of open windows whenever it changes. */
  onWindows?(open: number): void
  log(line: string): void
}

export interface OpenWindow {
  /** The address of the window. */
  readonly url: string
  /** The same with a one-time code that authorizes a browser. Each call creates a new code. */
  windowUrl(): string
  stop(): Promise<void>
}

export async function serveWindow({ runtime, ...options }: WindowOptions): Promise<OpenWindow> {
  const host = await openHost({ ...options, behind: runtime })
  // The test takes about a second and does not delay the start: a command that comes earlier waits for it.
  void runtime.testSandbox?.()
  return { url: host.url, windowUrl: host.windowUrl, stop: () => host.stop() }
}

export interface OpenChannel {
  /** How many programs are connected. */
  clients(): number
  stop(): Promise<void>
}

/** Only the command channel, for other programs of the same user: a runtime in a terminal that has no window. */
export async function serveChannel({ runtime, log }: Pick<WindowOptions, 'runtime' | 'log'>): Promise<OpenChannel> {
  const host = await openHost({ windowDir: null, behind: runtime, log })
  return { clients: host.clients, stop: () => host.stop() }
}
