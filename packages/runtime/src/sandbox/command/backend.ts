// What holds a command to its reach. Two programs can; the sandbox takes the first that works here.
import type { Violation } from '../../call/scope.ts'
import type { HostList } from './hosts.ts'
import type { Reach } from './reach.ts'

export interface Job {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly temp: string
  readonly reach: Reach
  readonly hosts: HostList
  readonly signal: AbortSignal
  /** Told at once of what is refused while the command runs. */
  refused(violation: Violation): void
}

export interface Wrapped {
  readonly argv: readonly string[]
  /** Gives back what the wrapping took; called once, after the command has ended. */
  release(): void
}

export interface Backend {
  readonly name: 'sandbox-runtime' | 'bubblewrap'
  wrap(job: Job): Promise<Wrapped>
  stop(): Promise<void>
}
