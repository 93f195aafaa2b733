// A child process with its output, its process tree, its limits and its end.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { CommandExit, CommandSpec, RunningCommand } from '../../call/commands.ts'
import type { Violation } from '../../call/scope.ts'
import type { Clock } from '../../clock/clock.ts'
import { makeControlGroup } from './control-group.ts'
import { lifePipe } from './life-pipe.ts'
import { limitScript, limits } from './limits.ts'
import { killTree, processesOf, terminate } from './process-tree.ts'

export interface StartOptions {
  /** Already wrapped for the sandbox, if any. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly mark: string
  /** Whether the system ends all its processes when the first one ends. */
  readonly contained: boolean
  readonly spec: CommandSpec
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What was refused; called once after it has ended. */
  violations(): readonly Violation[]
  /** Called once, when no process of it is left. */
  ended(): void
}

export async function startCommand(start: StartOptions): Promise<RunningCommand> {
  const { spec, clock, signal } = start
  signal.throwIfAborted()
  const group = makeControlGroup(`${process.pid}-${start.mark}`)
  const child = spawn('bash', ['--norc', '--noprofile', '-c', limitScript(group?.procs_files ?? []), 'tandem', ...start.argv], {
    cwd: spec.cwd,
    env: start.env,
    stdio: [spec.stdin === '' ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    group?.remove()
    start.ended()
    throw error
  }
  const pid = child.pid ?? 0
  const life = child.stdio[lifePipe]
  const tree = {
    pid,
    mark: start.contained ? null : start.mark,
    members: () => group?.members() ?? [],
    // In a sandbox, control groups are read-only, and the first process joins all of its own before it becomes the sandbox.
    closed: start.contained && group !== null,
  }
  let bytes = 0
  let noisy = false
  let gone = false
  let ending: Promise<void> | null = null

  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, by) => {
      gone = true
      resolve({ code, signal: by })
    })
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))

  function take(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void {
    if (noisy) return
    bytes += chunk.length
    spec.onOutput(chunk, stream)
    if (bytes <= limits.output_bytes) return
    noisy = true
    void kill()
  }

  function kill(): Promise<void> {
    ending ??= (async () => {
      // Its pid may already belong to another process.
      if (gone) return
      const told = new Set<string>()
      terminate(tree, told)
      // A command that is only just starting has not begun yet, and would hear nothing.
      const again = setInterval(() => terminate(tree, told), toldEvery_ms)
      await within(clock, limits.grace_ms, exited)
      clearInterval(again)
      await killTree(tree)
      await exited
    })()
    return ending
  }

  async function finish(): Promise<CommandExit> {
    const { code, signal: by } = await exited
    signal.removeEventListener('abort', kill)
    // Remaining processes are ended as well; a forgotten daemon would outlive the call and its scope.
    await killTree(tree)
    // Pipes that a process outside the tree still holds open are not waited for.
    await within(clock, limits.grace_ms, closed)
    child.stdout?.destroy()
    child.stderr?.destroy()
    life?.destroy()
    group?.remove()
    const violations = [...start.violations(), ...(noisy ? [tooNoisy] : [])]
    start.ended()
    return { code, signal: by, timed_out: isTimeout(signal), violations }
  }

  child.stdout?.on('data', (chunk: Uint8Array) => take(chunk, 'stdout'))
  child.stderr?.on('data', (chunk: Uint8Array) => take(chunk, 'stderr'))
  life?.on('error', () => undefined)
  // A command may close its input without reading it.
  child.stdin?.on('error', () => undefined)
  if (spec.stdin) child.stdin?.end(spec.stdin)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) void kill()

  return { pid, done: finish(), write: (text) => child.stdin?.write(text), pids: () => processesOf(tree), kill }
}

const toldEvery_ms = 100

const tooNoisy: Violation = { attempted: 'execute', resource: `more than ${limits.output_bytes} bytes of output`, blocked: true }

/** The names of timeout errors of the platform and of the pipeline. */
const timeouts: readonly string[] = ['TimeoutError', 'DeadlineError']

function isTimeout(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Error && timeouts.includes(signal.reason.name)
}

/** Waits for the promise, but at most `ms`. */
async function within(clock: Clock, ms: number, awaited: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(ms, resolve)
  await Promise.race([awaited, over])
  cancel()
}
