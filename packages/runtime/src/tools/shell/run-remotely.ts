// The common part of shell.exec and script.run on a remote executor. The result has the shape of a command on this device.
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { type JobFile, type JobReport, jobLimits } from '@tandem/contract/executor'
import { JobFilePath } from '@tandem/contract/executor/schema'
import { visibleText } from '@tandem/contract/text'
import type { CommandResult } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { Check } from 'typebox/value'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { RemoteCommand, RemoteCommands } from '../../call/remote.ts'
import type { CallLocation, Effect } from '../../call/tool.ts'
import { Committing } from '../../call/wait.ts'
import type { Spool } from '../../store/spool.ts'
import { fileDigest } from './file-digest.ts'
import { throttled } from './run-process.ts'

export const remoteInput = {
  executor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      description:
        'The name of a remote executor, to run it on that machine instead of this device. It runs there in an empty folder; nothing of the workspace is available except `send_files`. Each such call needs approval',
    }),
  ),
  send_files: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
      maxItems: jobLimits.files,
      description: 'Only with `executor`: files of the workspace to send, by their path relative to it; they have the same path there',
    }),
  ),
  fetch_files: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
      maxItems: jobLimits.files,
      description: 'Only with `executor`: files to fetch when it has ended; they are written to the same path in the workspace',
    }),
  ),
}

export interface RemoteInput {
  readonly executor?: string
  readonly send_files?: readonly string[]
  readonly fetch_files?: readonly string[]
  readonly cwd?: string
  readonly background?: boolean
  readonly timeout_seconds?: number
}

/** Null for a call on this device. Files are read and written under the policy for files. */
export function remoteEffects(input: RemoteInput, command: string): readonly Effect[] | null {
  const { executor, send_files = [], fetch_files = [] } = input
  if (executor === undefined) return null
  return [
    { does: 'execute_remotely', executor, command },
    ...send_files.map((path) => ({ does: 'read', path }) as const),
    ...fetch_files.map((path) => ({ does: 'write', path }) as const),
  ]
}

/** The machine, and what is sent to it: an approval covers only these. */
export async function remoteDigest(remote: RemoteCommands, input: RemoteInput, { workspace }: CallLocation): Promise<string> {
  const { executor, send_files = [] } = input
  if (executor === undefined) return ''
  const contents = await Promise.all(send_files.map((path) => fileDigest(resolve(workspace, path))))
  return createHash('sha256')
    .update(JSON.stringify([remote.identityOf(executor), contents]))
    .digest('hex')
}

/** What an executor cannot do, before a user is asked. */
export function checkRemoteInput({ executor, send_files = [], fetch_files = [], cwd, background = false }: RemoteInput): void {
  const isRemote = executor !== undefined
  const invalid = (message: string, remedy: string) => new ToolFailure('invalid_input', message, { remedy })
  if (!isRemote && (send_files.length > 0 || fetch_files.length > 0))
    throw invalid('`send_files` and `fetch_files` need an `executor`', 'Name the executor, or leave them out.')
  if (!isRemote) return
  if (background) throw invalid('a command on a remote executor cannot run in the background', 'Leave out `background`.')
  if (cwd !== undefined)
    throw invalid('`cwd` is a folder of this device', 'Leave it out: on an executor, a command runs in a folder of its own.')
  const wrong = [...send_files, ...fetch_files].find((path) => !Check(JobFilePath, path))
  if (wrong !== undefined)
    throw invalid(`${visibleText(wrong)} is not a path below the workspace`, 'Use paths relative to the workspace, without `..`.')
}

export interface RemoteSpec extends Pick<RemoteCommand, 'programs' | 'source' | 'args'> {
  readonly input: RemoteInput
}

export async function runRemotely(
  remote: RemoteCommands,
  context: ToolContext,
  { input, programs, source, args }: RemoteSpec,
): Promise<Committing<CommandResult>> {
  checkRemoteInput(input)
  const { executor = '', send_files = [], fetch_files = [] } = input
  const limit = context.policy.time_limit.seconds
  const timeout_seconds = Math.min(input.timeout_seconds ?? limit, limit)
  const described: JobFile[] = []
  for (const path of new Set(send_files)) described.push(describe(path, await contentOf(context, path)))
  const spool = context.spool('remote.txt')
  const show = throttled(context)
  const end = await remote
    .run(
      context.ids,
      { executor, programs, source, args, timeout_seconds, send_files: described, fetch_files: [...new Set(fetch_files)] },
      {
        signal: context.signal,
        content: (path) => contentOf(context, path),
        onOutput(chunk) {
          spool.write(chunk)
          show(chunk)
        },
      },
    )
    .catch((error: unknown) => {
      spool.discard()
      throw error
    })
  const { report } = end
  const isEnded = report.state === 'ended' && !context.signal.aborted
  const fetched = isEnded ? await fetchFiles(context, fetch_files, report, end.fetch) : []
  const result = resultOf(report, spool, executor, fetched, fetch_files)
  if (report.state !== 'ended') {
    end.settle()
    throw notEnded(report, executor, result)
  }
  return new Committing(() => {
    end.settle()
    return result
  })
}

/** Written like a file that the agent writes. */
async function fetchFiles(
  context: ToolContext,
  wanted: readonly string[],
  { files }: JobReport,
  fetch: (file: JobFile) => Promise<Uint8Array>,
): Promise<string[]> {
  const fetched: string[] = []
  for (const file of files.filter(({ path }, at) => wanted.includes(path) && files.findIndex((one) => one.path === path) === at)) {
    await context.files.replace(file.path, await fetch(file), { createParents: true })
    fetched.push(file.path)
  }
  return fetched
}

async function contentOf(context: ToolContext, path: string): Promise<Uint8Array> {
  return await context.files.read(path, async ({ handle, facts }) => {
    if (facts.size > jobLimits.file_bytes)
      throw new ToolFailure('file_too_large', `${path} has more than ${jobLimits.file_bytes} bytes`, {
        subject: path,
        remedy: 'Send a smaller file.',
      })
    return await handle.readFile()
  })
}

function describe(path: string, content: Uint8Array): JobFile {
  return { path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

function resultOf(report: JobReport, spool: Spool, name: string, fetched_files: string[], wanted: readonly string[]): CommandResult {
  const output = spool.end()
  const { exit_code, signal, timed_out, duration_ms, violations, sandbox } = report
  return {
    ...{ exit_code, signal, timed_out, duration_ms, violations },
    ...{ output: output.head, output_end: output.tail, bytes: output.bytes, truncated: output.truncated },
    ...{ file: output.file, file_bytes: output.file_bytes },
    executor: { name, sandbox, fetched_files, missing_files: wanted.filter((path) => !fetched_files.includes(path)) },
  }
}

/** It is never started again by itself: it may have had effects. */
function notEnded({ state, message }: JobReport, executor: string, output: CommandResult): ToolFailure {
  const why = message === null ? '' : `: ${visibleText(message)}`
  const texts = {
    lost: `the command was running on ${executor} when the executor ended, so its exit code is not known${why}`,
    canceled: `the command was canceled on ${executor}`,
  }
  const text = state === 'lost' || state === 'canceled' ? texts[state] : `the command failed on ${executor}${why}`
  return new ToolFailure(`job_${state}`, text, {
    subject: executor,
    remedy: 'Check what it changed there before you run it again.',
    output,
  })
}
