// The command line as users see it: real processes with their own folder, which is deleted after the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { killAndWait } from './process-end.ts'
import { useCommandProcess } from './test-commands.ts'

const bin = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))

export interface ProcessResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<ProcessResult>
  /** Resolves when this text was printed, on either stream; rejects if the process ended before. */
  said(text: string): Promise<void>
}

export interface TestTandem {
  readonly folder: string
  readonly workspace: string
  start(args: readonly string[], input?: string): Started
  /** Waits for its end. */
  tandem(...args: string[]): Promise<ProcessResult>
  /** In the process that all tests of the file share. */
  command(...args: string[]): Promise<ProcessResult>
}

/** One folder per test of the file. `variables` are read at each start; undefined ones are not set. */
export function useTandem(variables: (folder: string) => NodeJS.ProcessEnv): TestTandem {
  const children = new Set<ChildProcess>()
  const run = useCommandProcess()
  let folder = ''
  beforeEach(() => {
    folder = createTestFolder()
  })
  afterEach(async () => {
    await Promise.all([...children].map(killAndWait))
    children.clear()
    rmSync(folder, { recursive: true })
  })
  const workspace = () => join(folder, 'workspace')
  function environment(): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env
    return { PATH, HOME, TANDEM_HOME: join(folder, 'home'), ...variables(folder) }
  }
  function start(args: readonly string[], input = ''): Started {
    const started = startTandem(args, workspace(), environment(), input)
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
    async command(...args) {
      const { status, stdout, stderr } = await run(args, workspace(), environment())
      return { status, stdout, stderr: withoutUserWarning(stderr) }
    },
  }
}

/** Creates a folder with a workspace in it. */
export function createTestFolder(): string {
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
  const ended = new Promise<ProcessResult>((resolve) =>
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
        // Once the text was printed, its end is expected.
        void ended.then(({ stdout, stderr }) => reject(new Error(`it ended without saying ${text}: ${stdout}${stderr}`)))
      }),
  }
}

/** Tests run as root in some environments and not in others; what they compare is the same in both. */
function withoutUserWarning(stderr: string): string {
  return stderr.replaceAll(/^tandem: warning: Tandem is running as root\..*\n/gm, '')
}

/** Each line of output as an object. */
export function parseJsonLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
