// Running a command on another machine. Tools use it through this port, which knows the executors of this device and who may use them.
import type { JobFile, JobReport } from '@tandem/contract/executor'
import type { CallIds } from './scope.ts'

export interface RemoteMachine {
  readonly name: string
  readonly executor_url: string
  /** Null for plain http to this device. */
  readonly certificate_sha256: string | null
  /** What it says about itself; null if it was not reached yet. */
  readonly sandbox: 'os' | 'none' | null
}

export type RemoteGrant =
  | { readonly ok: true; readonly machine: RemoteMachine }
  | { readonly ok: false; readonly reason_code: string; readonly message: string; readonly remedy: string }

export interface RemoteCommand {
  readonly executor: string
  readonly programs: readonly string[]
  readonly source: { readonly extension: string; readonly text: string } | null
  readonly args: readonly string[]
  readonly timeout_seconds: number
  readonly send_files: readonly JobFile[]
  readonly fetch_files: readonly string[]
}

export interface RemoteLife {
  readonly signal: AbortSignal
  /** The content of a file to send. */
  content(path: string): Promise<Uint8Array>
  onOutput(chunk: Uint8Array): void
}

/** A job that is over. */
export interface RemoteEnd {
  readonly report: JobReport
  /** The content of a file that the job left. */
  fetch(file: JobFile): Promise<Uint8Array>
  /** The result is stored, in this transaction: the job is no longer needed. */
  settle(): void
}

export interface RemoteCommands {
  /** Whether the agent may use the executor. */
  grantOf(agent_id: string, executor: string): RemoteGrant
  /** Distinguishes two machines with the same name; an approval covers only one of them. */
  identityOf(executor: string): string
  /** Whether the call has a job whose result it does not have yet. Making the call again continues with that job. */
  isOpen(call_id: string): boolean
  /** Throws a `ToolFailure`. When it is aborted, the job is canceled. */
  run(ids: CallIds, command: RemoteCommand, life: RemoteLife): Promise<RemoteEnd>
}
