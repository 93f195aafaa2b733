// What a command came to, for the record and for the model. An exit code other than zero is a result like any other.
import type { Violation } from '../../context.ts'
import type { EndedProcess, ProcessFacts } from './processes.ts'

export interface CommandResult {
  readonly exit_code: number | null
  readonly signal: string | null
  readonly timed_out: boolean
  readonly duration_ms: number
  /** The beginning, or all of it. Lines of stderr are marked. */
  readonly output: string
  /** The end, when the middle was left out. */
  readonly output_end: string
  readonly bytes: number
  readonly truncated: boolean
  /** Holds the whole, when `truncated`. */
  readonly file: string | null
  readonly violations: readonly Violation[]
}

export interface StartedInBackground {
  readonly process_id: string
  readonly pid: number
  readonly state: 'running'
}

export function commandResult({ exit, output, facts }: EndedProcess): CommandResult {
  return {
    exit_code: exit.code,
    signal: exit.signal,
    timed_out: exit.timed_out,
    duration_ms: facts.duration_ms,
    output: output.head,
    output_end: output.tail,
    bytes: output.bytes,
    truncated: output.truncated,
    file: output.file,
    violations: exit.violations,
  }
}

export function startedInBackground({ process_id, pid }: ProcessFacts): StartedInBackground {
  return { process_id, pid, state: 'running' }
}

export function presentCommand(output: unknown): string {
  const result = output as CommandResult | StartedInBackground
  if ('state' in result) {
    return `Started in the background as ${result.process_id} (pid ${result.pid}). Read its output with process.list and this process_id; end it with process.kill.`
  }
  const shown = withoutEscapes(
    result.truncated
      ? `${result.output}\n[… ${result.bytes} bytes in all, the middle is left out here; the whole is in ${result.file} …]\n${result.output_end}`
      : result.output,
  )
  return [endOf(result), shown === '' ? '(no output)' : shown, ...refusals(result.violations)].join('\n')
}

function endOf({ exit_code, signal, timed_out, duration_ms }: CommandResult): string {
  const seconds = (duration_ms / 1_000).toFixed(1)
  if (timed_out) return `Ended because its time was over, after ${seconds} s. What it did until then stays done.`
  if (exit_code === null) return `Ended by ${signal ?? 'a signal'} after ${seconds} s.`
  return `exit code ${exit_code}${exit_code === 0 ? '' : ' (the command failed)'} after ${seconds} s`
}

function refusals(violations: readonly Violation[]): string[] {
  const blocked = violations.filter((one) => one.blocked).map(({ attempted, resource }) => `${attempted} ${resource}`)
  return blocked.length > 0 ? [`[refused by the sandbox: ${blocked.join('; ')}]`] : []
}

/** Colors and cursor moves mean nothing to a model, and may hide text from a person. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  return text.replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-_]/g, '')
}
