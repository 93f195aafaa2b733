// The runtime's side of an evaluator process.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../clock/clock.ts'
import { evaluateLimits } from './evaluate-limits.ts'
import type { Evaluation, EvaluationMessage, EvaluationResult } from './evaluation.ts'
import { failures } from './failures.ts'

export interface EvaluationProcess {
  /** Null if the process ended, or was ended because it hung. */
  evaluate(asked: Evaluation): Promise<EvaluationResult | null>
  isRunning(): boolean
  /** Whether it has evaluated something before. */
  wasUsed(): boolean
  kill(): Promise<void>
}

export interface EvaluationProcessOptions {
  readonly clock: Clock
  /** Called with the id of each process that is started. */
  started?(pid: number): void
  log(line: string): void
}

/** How V8 ends a process that cannot get the memory it needs at all. */
const memorySignals: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL']
const memoryCode = 134

/** The process can read the folder of its entry and `files`. Its only other permission is to start its thread. */
export function launchOptions(entry: string, files: readonly string[]): ForkOptions {
  const folder = dirname(entry)
  return {
    env: {},
    // A thread can read the folder that it runs in, whatever the flags say.
    cwd: folder,
    execArgv: [
      '--permission',
      '--allow-worker',
      ...[join(folder, '*'), ...files].map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${evaluateLimits.main_memory_mb}`,
      '--disallow-code-generation-from-strings',
      // A part of an expression may fail after the expression has failed.
      '--unhandled-rejections=none',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  }
}

/** Null if it does not start. */
export async function startEvaluationProcess(options: EvaluationProcessOptions): Promise<EvaluationProcess | null> {
  const child = forked(options.log)
  return child && ready(child, options)
}

async function ready(child: ChildProcess, { clock, started, log }: EvaluationProcessOptions): Promise<EvaluationProcess | null> {
  if (child.pid !== undefined) started?.(child.pid)
  const closed = Promise.withResolvers<void>()
  const readErrors = errorsOf(child)
  let isRunning = true
  let isWanted = true
  let answer: ((message: 'ready' | EvaluationResult | null) => void) | null = null

  /** It keeps the program alive only while a caller waits. */
  function next(limit_ms: number): Promise<'ready' | EvaluationResult | null> {
    const { promise, resolve } = Promise.withResolvers<'ready' | EvaluationResult | null>()
    const cancel = clock.after(limit_ms, () => {
      log(`workflow: the evaluator did not respond within ${limit_ms / 1_000} seconds`)
      child.kill('SIGKILL')
    })
    child.ref()
    child.channel?.ref()
    answer = (message) => {
      cancel()
      answer = null
      child.unref()
      child.channel?.unref()
      resolve(message)
    }
    return promise
  }

  function ended(reason: string, message: EvaluationResult | null): void {
    isRunning = false
    if (answer && isWanted) log(`workflow: the evaluator ended (${reason})`)
    answer?.(message)
    closed.resolve()
  }

  child.on('message', (message: EvaluationMessage) => {
    if (typeof message === 'object' && 'last' in message) {
      isRunning = false
      child.kill('SIGKILL')
      answer?.(message.last)
    } else answer?.(message)
  })
  child.on('error', (error) => ended(error.message, null))
  // Not "exit": the last message may still be in the channel.
  child.on('close', (code, signal) =>
    ended(signal ? `signal ${signal}` : `code ${code}`, memorySignals.includes(signal) || code === memoryCode ? failures.memory : null),
  )

  const first = await next(evaluateLimits.start_ms)
  if (first !== 'ready') {
    // It has not received any data yet, so its errors contain none.
    log(`workflow: the evaluator did not start: ${readErrors()}`)
    child.kill('SIGKILL')
    return null
  }
  let wasUsed = false
  return {
    async evaluate(asked) {
      if (!isRunning) return null
      wasUsed = true
      const answered = next(evaluateLimits.wall_ms)
      // An error means that the process is gone, which `close` reports.
      child.send(asked, () => undefined)
      const result = await answered
      return result === 'ready' ? null : result
    },
    isRunning: () => isRunning,
    wasUsed: () => wasUsed,
    async kill() {
      isWanted = false
      child.ref()
      child.kill('SIGKILL')
      await closed.promise
    },
  }
}

function forked(log: (line: string) => void): ChildProcess | null {
  try {
    const entry = realpathSync(fileURLToPath(new URL('./evaluate-process.js', import.meta.url)))
    const library = realpathSync(createRequire(import.meta.url).resolve('jsonata'))
    return fork(entry, [library], launchOptions(entry, [library]))
  } catch (error) {
    log(`workflow: the evaluator could not be started: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** Must be read, or a process that writes errors would block. */
function errorsOf({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-evaluateLimits.message_length)
  })
  if (stderr && 'unref' in stderr && typeof stderr.unref === 'function') stderr.unref()
  return () => text.trim()
}
