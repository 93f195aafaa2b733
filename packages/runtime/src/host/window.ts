// The window, served on loopback before a runtime.
import { type Behind, openHost } from './host.ts'

export interface WindowOptions {
  /** The folder of the built window. */
  readonly windowDir: string
  /** Where the window is served on loopback; a free port when absent. */
  readonly port?: number
  /** Whose commands the window and other programs of the same person may call. */
  readonly runtime: Behind & { testSandbox?(): Promise<void> }
  /** How many windows are open, each time that changes. */
  onWindows?(open: number): void
  log(line: string): void
}

export interface OpenWindow {
  /** The address of the window. */
  readonly url: string
  /** The same with a one-time code, by which a browser may call commands. Each call makes another. */
  windowUrl(): string
  stop(): Promise<void>
}

export async function startRuntime({ runtime, ...options }: WindowOptions): Promise<OpenWindow> {
  const host = await openHost({ ...options, behind: runtime })
  // It takes about a second, which nobody has to wait for: a command that comes before waits for it.
  void runtime.testSandbox?.()
  return { url: host.url, windowUrl: host.windowUrl, stop: () => host.stop() }
}
