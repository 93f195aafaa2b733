// Who calls, what the call may touch, and what it was kept from.
import type { SandboxMode, ToolPolicy } from '@tandem/contract/tool'

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
