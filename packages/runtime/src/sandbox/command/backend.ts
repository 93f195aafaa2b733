// A backend restricts a command to its reach. There are two; the sandbox uses the first that works on this machine.
import type { Violation } from '../../call/scope.ts'
import type { FileAccess } from './file-access.ts'
import type { HostList } from './hosts.ts'

export interface WrapRequest {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly temp: string
  readonly reach: FileAccess
  readonly hosts: HostList
  readonly signal: AbortSignal
  /** Called immediately when something is refused while the command runs. */
  refused(violation: Violation): void
}

export interface WrappedCommand {
  readonly argv: readonly string[]
  /** Variables that it needs; they replace others with the same name. */
  readonly env: Readonly<Record<string, string>>
  /** Releases the resources of the wrapping; called once, after the command has ended. */
  release(): void
}

export interface Backend {
  readonly name: 'sandbox-runtime' | 'bubblewrap'
  /** The command begins only if the runtime is alive, see `unlessOrphaned`. */
  wrap(job: WrapRequest): Promise<WrappedCommand>
  stop(): Promise<void>
}
