// What a running tool is handed. Each port already knows the call's scope: a tool can't reach past it by forgetting a check.

import type { Clock } from '../clock/clock.ts'
import type { Spool } from '../store/spool.ts'
import type { CommandRunner } from './commands.ts'
import type { ReadableFiles, ScopedFiles } from './files.ts'
import type { ScopedNetwork } from './network.ts'
import type { CallScope } from './scope.ts'

export interface ToolContext extends CallScope {
  /** Aborted when the call is canceled or its time is over. Everything a tool starts ends with it. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly files: ScopedFiles
  readonly network: ScopedNetwork
  readonly commands: CommandRunner
  /** A place for output of any size: bounded in memory, kept on disk. */
  spool(name: string): Spool
  /** Keeps a picture for people to look at after the run; answers with its id. Absent where nobody will. */
  keepPicture?(bytes: Uint8Array): string
  /** Shown while the tool runs; not part of the result. */
  progress(text: string): void
}

/** What a tool has to say what a call would do: it can read what the call may read, and change nothing. */
export interface PreviewContext extends Pick<ToolContext, 'ids' | 'workspace' | 'signal' | 'clock'> {
  readonly files: ReadableFiles
}
