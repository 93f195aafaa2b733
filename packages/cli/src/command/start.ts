import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FolderInUseError, openRuntime, type Runtime, startRuntime } from '@tandem/runtime'
import { type Server, startServer } from '@tandem/server'
import { homeFolder } from '../runtime-client/home.ts'
import { requestWindowAddress } from '../runtime-client/window-address.ts'
import { explainedUsage, printUsage, wantsHelp } from '../terminal/args.ts'
import { warnAboutUser } from '../terminal/user-warning.ts'
import { localGateway } from './local-gateway.ts'
import { waitForStopSignal } from './signals.ts'
import { chooseLauncher, currentEnvironment, openWindow } from './window.ts'
import { lastWindow } from './window-watcher.ts'

const windowDir = fileURLToPath(new URL('../../../desktop/dist/', import.meta.url))
const log = (line: string) => console.error(`tandem: ${line}`)

const usage = explainedUsage(
  'tandem start [--no-window]',
  'Starts Tandem: the runtime, a server on this machine, and the window. If Tandem is already running, this opens another window instead.',
  '--no-window: only print the address of the window.',
)

/** `tandem start`: the runtime, the backend with its embedded defaults, and the window for both. */
export async function start(args: readonly string[]): Promise<number> {
  if (wantsHelp(args)) {
    console.log(`usage: ${usage}`)
    return 0
  }
  const wrong = args.find((arg) => arg !== '--no-window')
  if (wrong !== undefined) return printUsage(`unexpected argument "${wrong}"`, usage)
  const show = (url: string) => showWindow(url, args.includes('--no-window') ? 'printed' : 'opened')
  // Registered first: a signal during the start would otherwise leave PostgreSQL running.
  const stopped = waitForStopSignal()
  const runtime = ownRuntime(homeFolder())
  warnAboutUser()
  if (!runtime) return await shareRunning(homeFolder(), show)
  const opened: (() => Promise<void>)[] = [runtime.stop]
  try {
    await serveUntilStopped(runtime, opened, stopped, show)
  } catch (error) {
    // Whatever failed, PostgreSQL is a separate process and must not keep running.
    await closeOpened(opened)
    throw error
  }
  await closeOpened(opened)
  // Immediately: while the last handles close, a signal that is forwarded late would kill the process.
  process.exit(0)
}

/** Adds to `opened` what it opens. */
async function serveUntilStopped(
  runtime: Runtime,
  opened: (() => Promise<void>)[],
  stopped: Promise<void>,
  show: (url: string) => void,
): Promise<void> {
  const backend = await startServer({ LOG_LEVEL: 'warn', ...dataFolder(homeFolder()), ...process.env })
  if (!backend.ok) {
    console.error('tandem: the server could not start; Tandem continues without it:')
    for (const problem of backend.problems) console.error(`  ${problem}`)
  }
  if (backend.ok) opened.unshift(backend.server.stop)
  if (backend.ok && isOwn(backend.server)) runtime.offerModels(localGateway(backend.server.url, homeFolder()))
  const windows = lastWindow(async () => {
    const settings = await runtime.commands.call('runtime_get_settings', {})
    return settings.ok ? settings.value.settings.when_window_closes : 'keep_going'
  }, runtime.clock.after)
  const window = await startRuntime({ windowDir, runtime, log, onWindows: windows.opened })
  opened.push(window.stop)

  console.log(`Tandem is open at   ${window.windowUrl()}`)
  if (backend.ok) console.log(`The server is at    ${backend.server.url}   (documentation: ${backend.server.url}/swagger/index.html)`)
  console.log(`Describe a task in the window, or run ${terminalCommand(process.env)} in another terminal. Press Ctrl-C to stop Tandem.`)
  show(window.windowUrl())
  const why = await Promise.race([stopped, windows.closed.then(() => 'window' as const)])
  if (why === 'window')
    console.log(
      'The last window was closed, so Tandem is stopping, as set in the settings. Active runs are paused; you can continue them later.',
    )
}

/** How a conversation is opened. Only an installed Tandem is on the PATH, and outside of a clone npx would find another program. */
function terminalCommand({ npm_lifecycle_event }: Readonly<Record<string, string | undefined>>): string {
  if (npm_lifecycle_event === 'npx') return 'the same command without "start"'
  return npm_lifecycle_event === 'start' ? 'npx tandem' : 'tandem'
}

/** In a clone, the server keeps its data there. A package can be started in any folder, and must leave nothing in it. */
function dataFolder(home: string): { readonly DATA_DIR?: string } {
  const isClone = existsSync(new URL('../main.ts', import.meta.url))
  return isClone ? {} : { DATA_DIR: join(home, 'server') }
}

/** Closes in reverse order. One that cannot be closed does not keep the others open. */
async function closeOpened(opened: (() => Promise<void>)[]): Promise<void> {
  for (const close of opened.splice(0).reverse()) {
    await close().catch((error: unknown) => log(error instanceof Error ? error.message : String(error)))
  }
}

/** Only for a local backend with its own data: on a shared one, no account is created automatically. */
function isOwn({ url, config }: Pick<Server, 'url' | 'config'>): boolean {
  return config.platform.kind === 'embedded' && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

/** Opens the window if there is a browser and a display; the address is printed in any case. */
function showWindow(url: string, how: 'opened' | 'printed'): void {
  const way = chooseLauncher(currentEnvironment)
  if (how === 'printed') return
  if (way.kind === 'none') console.log(`No window was opened: ${way.because}. Open the address above yourself.`)
  else openWindow(url, homeFolder(), way)
}

/** Another Tandem has the lease of the folder, so it is asked for another window. */
async function shareRunning(home: string, show: (url: string) => void): Promise<number> {
  const url = await requestWindowAddress(home)
  if (url === null) {
    console.error(`tandem: ${home} is in use by another tandem command, which has no window. Wait for it to end, then start again.`)
    return 1
  }
  console.log(`Tandem is already running. Open another window at   ${url}`)
  show(url)
  return 0
}

/** Null while another process has the lease. */
function ownRuntime(home: string): Runtime | null {
  try {
    return openRuntime({ home, workspace: process.cwd(), environment: process.env, log })
  } catch (error) {
    if (error instanceof FolderInUseError) return null
    throw error
  }
}
