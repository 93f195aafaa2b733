// The result of a command, for the record and for the model. An exit code other than zero is a normal result.
import type { CommandResult, ProcessFacts, ShellExecOutput, StartedInBackground } from '@tandem/contract/tool/output'
import type { Violation } from '../../call/scope.ts'
import type { EndedProcess } from './processes.ts'

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
    file_bytes: output.file_bytes,
    violations: exit.violations,
  }
}

export function startedInBackground({ process_id, pid }: ProcessFacts): StartedInBackground {
  return { process_id, pid, state: 'running' }
}

export function presentCommand(result: ShellExecOutput): string {
  if ('state' in result) {
    return `Started in the background as ${result.process_id} (pid ${result.pid}). Read its output with process.list and this \`process_id\`; end it with process.kill.`
  }
  const shown = withoutEscapes(
    result.truncated ? `${kept(result)}\n${result.output}\n[… the middle was left out …]\n${result.output_end}` : result.output,
  )
  return [
    `${whereOf(result)}${endOf(result)}`,
    shown === '' ? '(no output)' : shown,
    ...filesOf(result),
    ...refusals(result.violations),
  ].join('\n')
}

/** Shown first, because the middle of a long text may be cut before the model reads it. */
function kept({ bytes, file, file_bytes }: CommandResult): string {
  const how = file_bytes < bytes ? `the first ${file_bytes} bytes are` : 'all of it is'
  return `[${bytes} bytes of output; ${how} in ${file}; the beginning and the end are shown here]`
}

function endOf({ exit_code, signal, timed_out, duration_ms }: CommandResult): string {
  const seconds = (duration_ms / 1_000).toFixed(1)
  if (timed_out) return `Timed out after ${seconds} s. Changes it made before that remain.`
  if (exit_code === null) return `Ended by ${signal ?? 'a signal'} after ${seconds} s.`
  return `exit code ${exit_code}${exit_code === 0 ? '' : ' (the command failed)'} after ${seconds} s`
}

function whereOf({ executor }: CommandResult): string {
  return executor === undefined ? '' : `On ${executor.name}: `
}

function filesOf({ executor }: CommandResult): string[] {
  if (executor === undefined) return []
  const { fetched_files, missing_files } = executor
  return [
    ...(fetched_files.length > 0 ? [`[fetched into the workspace: ${fetched_files.join(', ')}]`] : []),
    ...(missing_files.length > 0 ? [`[not fetched, because the command did not leave them: ${missing_files.join(', ')}]`] : []),
  ]
}

function refusals(violations: readonly Violation[]): string[] {
  const blocked = violations.filter((one) => one.blocked).map(({ attempted, resource }) => `${attempted} ${resource}`)
  return blocked.length > 0 ? [`[blocked by the sandbox: ${blocked.join('; ')}]`] : []
}

/** Colors and cursor movements mean nothing to a model, and may hide text from a user. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this finds control characters.
  return text.replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-_]/g, '')
}
