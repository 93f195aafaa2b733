import * as Type from 'typebox'
import { Count, extensibleOneOf, Flag, listOf, nullable, object, oneOf } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'

/** A command that has ended. A nonzero exit code is an ordinary result. */
const CommandResult = object({
  exit_code: nullable(Type.Integer()),
  signal: nullable(Type.String()),
  timed_out: Flag,
  duration_ms: Count,
  output: Type.String({ description: 'The beginning, or all of it. Lines of stderr are marked' }),
  output_end: Type.String({ description: 'The end, if the middle was left out' }),
  bytes: Count,
  truncated: Flag,
  file: Type.Union([Type.String(), Type.Null()], {
    description: 'The file with the full output, or with its beginning, if it was truncated',
  }),
  file_bytes: Type.Integer({ minimum: 0, description: 'The number of bytes in the file' }),
  violations: listOf(
    object({ attempted: extensibleOneOf(['read', 'write', 'network', 'execute']), resource: Type.String(), blocked: Flag }),
  ),
  /** Absent if it ran on this device. */
  executor: Type.Optional(
    object({
      name: Type.String(),
      sandbox: Type.Unsafe<'os' | 'none'>(
        Type.Enum(['os', 'none'], { description: 'What it reports: os if its operating system restricted the command' }),
      ),
      fetched_files: listOf(Type.String()),
      missing_files: Type.Array(Type.String(), { description: 'Files to fetch that the command did not leave' }),
    }),
  ),
})
export type CommandResult = OutputOf<typeof CommandResult>

const StartedInBackground = object({ process_id: Type.String(), pid: Count, state: Type.Literal('running') })
export type StartedInBackground = OutputOf<typeof StartedInBackground>

/** Also of `script.run`. */
export const ShellExecOutput = Type.Union([CommandResult, StartedInBackground])
export type ShellExecOutput = OutputOf<typeof ShellExecOutput>

const processFacts = {
  process_id: Type.String(),
  pid: Count,
  command: Type.String(),
  cwd: Type.String(),
  background: Flag,
  state: oneOf(['running', 'ended']),
  started_at: Type.String(),
  duration_ms: Count,
  bytes: Count,
  exit_code: nullable(Type.Integer()),
  signal: nullable(Type.String()),
  timed_out: Flag,
}

export const ProcessKillOutput = object(processFacts)
export type ProcessKillOutput = OutputOf<typeof ProcessKillOutput>
export type ProcessFacts = ProcessKillOutput

const OutputPage = object({
  text: Type.String(),
  next: Type.Integer({ minimum: 0, description: 'The position from which to continue reading' }),
  missed: Type.Integer({ minimum: 0, description: 'Bytes before this text that can no longer be read here' }),
})
export type OutputPage = OutputOf<typeof OutputPage>

/** All processes of the run, or one of them with its output. */
export const ProcessListOutput = Type.Union([
  object({ processes: listOf(object(processFacts)) }),
  object({ ...processFacts, output: OutputPage }),
])
export type ProcessListOutput = OutputOf<typeof ProcessListOutput>
