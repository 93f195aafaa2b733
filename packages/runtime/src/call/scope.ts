// The ids of a call, its scope, and the violations of its scope.
import type { SandboxMode, ToolPolicy } from '@tandem/contract/tool'

/** The ids that identify the call in records. */
export interface CallIds {
  readonly agent_id: string
  readonly conversation_id: string
  readonly run_id: string
  readonly call_id: string
}

/** What one call may access: the agent's policy for the tool, and the sandbox mode of the run. */
export interface CallScope {
  readonly ids: CallIds
  readonly tool: string
  /** The real path of the folder the run works in. */
  readonly workspace: string
  /** A folder for this run only, removed with it. */
  readonly temp: string
  /** Tandem's own folder: no tool can read or write there, regardless of the policy. */
  readonly home: string
  readonly policy: ToolPolicy
  /** Relative to the workspace: the only paths that the call may write there. Absent for a run that shares its folder with no one. */
  readonly writable?: readonly string[]
  /**
   * Real paths of folders that the call may read although its policy or Tandem's own folder excludes them: those of the skills of its run.
   * No call can write there.
   */
  readonly readable?: readonly string[]
  readonly sandbox_mode: SandboxMode
  /** Called for everything that the sandbox refused, or allowed with a warning in `trusted`; it is journaled as `sandbox_violation`. */
  report(violation: Violation): void
  /** Whether writing to this real path would affect other programs in a way that was not approved: a link may have changed since. */
  isUnapprovedProtectedPath?(real: string): boolean
}

export interface Violation {
  readonly attempted: 'read' | 'write' | 'network' | 'execute'
  readonly resource: string
  readonly blocked: boolean
}
