// The context that a running tool gets. Each port already knows the scope of the call, so a tool cannot leave it by forgetting a check.

import type { Clock } from '../clock/clock.ts'
import type { Spool } from '../store/spool.ts'
import type { CommandRunner } from './commands.ts'
import type { ReadableFiles, ScopedFiles } from './files.ts'
import type { ScopedNetwork } from './network.ts'
import type { CallScope } from './scope.ts'

export interface ToolContext extends CallScope {
  /** What the tool's `digest` returned for the call that was approved; absent if it has none. */
  readonly digest?: string
  /** Aborted when the call is canceled or times out. Everything that a tool starts ends with it. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly files: ScopedFiles
  readonly network: ScopedNetwork
  readonly commands: CommandRunner
  /** Collects output of any size: a bounded part in memory, the rest on disk. */
  spool(name: string): Spool
  /** Stores a picture that the user can view after the run, and returns its id. Absent if pictures are not shown to a user. */
  keepPicture?(bytes: Uint8Array): string
  /** Shown while the tool runs; not part of the result. */
  progress(text: string): void
}

/** The context in which a tool computes a preview: it can read what the call may read, and change nothing. */
export interface PreviewContext extends Pick<ToolContext, 'ids' | 'workspace' | 'signal' | 'clock'> {
  readonly files: ReadableFiles
}
