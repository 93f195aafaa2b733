// How a call says no. Inside a tool failures are thrown; at the pipeline's edge they become values with a failure contract.
import type { Recoverability } from '@tandem/contract/failure'

export interface FailureFacts {
  /** The thing it happened to: a path, a host, a pid. */
  readonly subject?: string
  /** What the caller can do about it. */
  readonly remedy?: string
  readonly recoverability?: Recoverability
  /** Decides the taxonomy: `policy` is the agent's tool policy, `sandbox` is the mode and the walls that always stand. */
  readonly blocked_by?: 'policy' | 'sandbox'
  readonly attempted?: 'read' | 'write' | 'network' | 'execute'
  /** What there is to show nevertheless: the output of a command that failed. */
  readonly output?: unknown
  readonly cause?: unknown
}

export class ToolFailure<Facts extends FailureFacts = FailureFacts> extends Error {
  readonly reason_code: string
  readonly facts: Facts

  constructor(reason_code: string, message: string, ...[facts = {} as Facts]: Record<never, never> extends Facts ? [Facts?] : [Facts]) {
    super(message, { cause: facts.cause })
    this.name = new.target.name
    this.reason_code = reason_code
    this.facts = facts
  }
}

/** The sandbox says no. */
export class Refused extends ToolFailure<FailureFacts & { readonly blocked_by: 'policy' | 'sandbox' }> {}

/** The disk can't do it. Nothing was forbidden. */
export class FileFailure extends ToolFailure<FailureFacts & { readonly subject: string; readonly remedy: string }> {}

/** What goes wrong on the way although it was allowed. */
export class NetworkFailure extends ToolFailure<FailureFacts & { readonly subject: string }> {}
