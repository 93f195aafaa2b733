// The command line as a person meets it: real processes over a folder of their own, which is gone after the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'

const bin = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** When this much was said, on either side; refused when it ended before. */
  said(text: string): Promise<void>
}

interface TestTandem {
  readonly folder: string
  readonly workspace: string
  start(args: readonly string[], input?: string): Started
  /** To its end. */
  tandem(...args: string[]): Promise<Ended>
}

/** A folder for each test of the file. `variables` are looked at with each start; what is undefined is not set. */
export function useTandem(variables: (folder: string) => NodeJS.ProcessEnv): TestTandem {
  const children = new Set<ChildProcess>()
  let folder = ''
  beforeEach(() => {
    folder = madeFolder()
  })
  afterEach(async () => {
    await Promise.all([...children].map(killed))
    children.clear()
    rmSync(folder, { recursive: true })
  })
  const workspace = () => join(folder, 'workspace')
  function start(args: readonly string[], input = ''): Started {
    const { PATH, HOME } = process.env
    const started = startTandem(args, workspace(), { PATH, HOME, TANDEM_HOME: join(folder, 'home'), ...variables(folder) }, input)
    children.add(started.child)
    return started
  }
  return {
    get folder() {
      return folder
    },
    get workspace() {
      return workspace()
    },
    start,
    tandem: (...args) => start(args).ended,
  }
}

/** Ends when it is gone: one that is still going would write into a folder that is being deleted. */
export async function killed(child: ChildProcess): Promise<void> {
  const isOver = child.exitCode !== null || child.signalCode !== null
  if (!isOver && child.kill('SIGKILL')) await once(child, 'exit')
}

/** With a workspace in it. */
export function madeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cli-')))
  mkdirSync(join(folder, 'workspace'))
  return folder
}

export function startTandem(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, input = ''): Started {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      out[name] += text
      for (const listener of listeners) listener()
    })
  }
  child.stdin.end(input)
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status) => resolve({ status, ...out, stderr: withoutUserWarning(out.stderr) })),
  )
  return {
    child,
    ended,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if ((out.stdout + out.stderr).includes(text)) resolve()
        }
        listeners.add(look)
        look()
        // Once it was said, its end is no surprise.
        void ended.then(({ stdout, stderr }) => reject(new Error(`it ended without saying ${text}: ${stdout}${stderr}`)))
      }),
  }
}

/** Tests run as root in some places and not in others; what they compare is the same in both. */
function withoutUserWarning(stderr: string): string {
  return stderr.replaceAll(/^tandem: warning: Tandem is running as root\..*\n/gm, '')
}

/** What a line each says, as objects. */
export function objectsIn(stdout: string): Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
