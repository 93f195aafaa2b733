// Starting and observing a command. The runner already knows the scope of its call, and the caller cannot widen it.
import type { Violation } from './scope.ts'

export interface CommandSpec {
  /** `['bash', '-c', text]` for shell text. */
  readonly argv: readonly string[]
  /** A real path inside the scope. */
  readonly cwd: string
  /** Added to the clean environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Written immediately, then the stream is closed. Without it the stream stays open for `write`. */
  readonly stdin?: string | Uint8Array
  onOutput(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void
}

export interface CommandExit {
  readonly code: number | null
  readonly signal: string | null
  readonly timed_out: boolean
  readonly violations: readonly Violation[]
}

export interface RunningCommand {
  readonly pid: number
  readonly done: Promise<CommandExit>
  write(text: string): void
  /** Every live process of the command, including the first. */
  pids(): readonly number[]
  /** Ends the whole tree: TERM, then KILL after two seconds. */
  kill(): Promise<void>
}

export interface CommandRunner {
  start(spec: CommandSpec, signal: AbortSignal): Promise<RunningCommand>
  /** Whether the operating system restricts the command to its scope. */
  readonly enforcement: Enforcement
}

export type Enforcement = 'os' | 'none'
