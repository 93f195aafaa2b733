// What a running tool is handed. Each port already knows the call's scope: a tool can't reach past it by forgetting a check.
import type { SandboxMode, ToolPolicy } from '@tandem/contract/tool'
import type { Clock } from '../clock/clock.ts'
import type { ScopedFiles } from '../sandbox/files/scoped-files.ts'
import type { ScopedNetwork } from '../sandbox/network/scoped-network.ts'
import type { Spool } from '../store/spool.ts'
import type { CommandRunner } from './commands.ts'

/** Who calls: the ids that name the call in records. */
export interface CallIds {
  readonly agent_id: string
  readonly conversation_id: string
  readonly run_id: string
  readonly call_id: string
}

/** What one call may touch: the policy of its agent for its tool, and the mode of the run. */
export interface CallScope {
  readonly ids: CallIds
  readonly tool: string
  /** The real path of the folder the run works in. */
  readonly workspace: string
  /** A folder of this run alone, removed with it. */
  readonly temp: string
  /** Tandem's own folder: no tool reads or writes there, whatever the policy says. */
  readonly home: string
  readonly policy: ToolPolicy
  readonly sandbox_mode: SandboxMode
  /** Told of everything the sandbox refused, or in `trusted` let pass with a warning; it is journaled as `sandbox_violation`. */
  report(violation: Violation): void
  /** Whether writing at this real path gives power over other programs that nobody was asked about: a link may have moved since. */
  unseenPower?(real: string): boolean
}

export interface Violation {
  readonly attempted: 'read' | 'write' | 'network' | 'execute'
  readonly resource: string
  readonly blocked: boolean
}

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
