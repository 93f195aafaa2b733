// The backend as users start it: `tandem server` in its own process, which tests may kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive, readPostmasterFile } from '../packages/server/src/database/postmaster.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'

export type Variables = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly ended: Promise<Ended>
  /** All its output so far. */
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Sent to the whole process group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void
  kill(): Promise<Ended>
}

const tandem = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

/** How the process is started: directly, in its own namespace, or with another Node. */
export type Launcher = readonly [program: string, ...args: string[]]

const plain: Launcher = [process.execPath, tandem]

export async function startServerProcess(variables: Variables, launcher: Launcher = plain): Promise<ServerProcess> {
  const run = launch(variables, launcher)
  const url = await Promise.race([run.url, run.ended.then(() => undefined)])
  if (url === undefined) throw new Error(`the server did not start:\n${run.said()}`)
  const { ended, said, child } = run
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const kill = () => {
    signal('SIGKILL')
    return ended
  }
  return {
    url,
    pid: run.pid,
    ended,
    output: said,
    signal,
    signalGroup: (name) => void process.kill(-run.pid, name),
    kill,
    async [Symbol.asyncDispose]() {
      signal('SIGTERM')
      const timer = setTimeout(kill, 15_000)
      await ended
      clearTimeout(timer)
    },
  }
}

/** For a start that should fail, or that is ended before it completes. */
export function launchServer(variables: Variables): { readonly ended: Promise<Ended>; said(): string; signal(name: NodeJS.Signals): void } {
  const { ended, said, child } = launch(variables, plain)
  return { ended, said, signal: (name) => void child.kill(name) }
}

/** The default launcher, with other programs in front or another Node. */
export function launcher(program: string, ...args: string[]): Launcher {
  return [program, ...args, tandem]
}

const running = new Set<Run>()

/** For `afterEach`: ends what a failed test left running. */
export async function endServers(): Promise<void> {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
}

interface Run {
  readonly child: ChildProcess
  readonly pid: number
  readonly url: Promise<string>
  readonly ended: Promise<Ended>
  said(): string
}

function launch(variables: Variables, [program, ...args]: Launcher): Run {
  // Nothing of the tests' environment: the server reads only what the test passes.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir(), PORT: '0', LOG_LEVEL: 'info', ...variables }
  const child = spawn(program, [...args, 'server'], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} can not be started`)
  const url = Promise.withResolvers<string>()
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
    const found = /^Tandem server at (\S+)/m.exec(stdout)?.[1]
    if (found !== undefined) url.resolve(found)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const run: Run = { child, pid, url: url.promise, ended, said: () => stdout + stderr }
  running.add(run)
  void ended.then(() => running.delete(run))
  return run
}

/** The postmaster of an `embedded:` folder, if one is running. */
export async function postmasterOf(dir: string): Promise<number | undefined> {
  const file = await readPostmasterFile(join(dir, 'postgres'))
  return file && isAlive(file.pid) ? file.pid : undefined
}

/** Ends the PostgreSQL that a killed server left behind, and removes the folder. */
export async function clearEmbedded(dir: string): Promise<void> {
  const pid = await postmasterOf(dir)
  if (pid !== undefined) {
    process.kill(pid, 'SIGINT')
    // Its file is removed last; the process itself may stay as a zombie where orphans are not reaped.
    await waitFor(async () => (await readPostmasterFile(join(dir, 'postgres'))) === undefined, 15_000)
  }
  await rm(dir, { recursive: true, force: true })
}

export async function residentMegabytes(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
