// Failures of a call. Inside a tool they are thrown; the pipeline converts them to values with a failure contract.
import type { Recoverability } from '@tandem/contract/failure'

export interface FailureFacts {
  /** What the failure is about: a path, a host, a pid. */
  readonly subject?: string
  /** What the caller can do about it. */
  readonly remedy?: string
  readonly recoverability?: Recoverability
  /** Determines the taxonomy: `policy` is the agent's tool policy, `sandbox` is the sandbox mode and the restrictions that always apply. */
  readonly blocked_by?: 'policy' | 'sandbox'
  readonly attempted?: 'read' | 'write' | 'network' | 'execute'
  /** Output to show in spite of the failure, such as the output of a command that failed. */
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

/** The sandbox or the policy refused the access. */
export class Refused extends ToolFailure<FailureFacts & { readonly blocked_by: 'policy' | 'sandbox' }> {}

/** The file system failed. Nothing was forbidden. */
export class FileFailure extends ToolFailure<FailureFacts & { readonly subject: string; readonly remedy: string }> {}

/** An allowed request failed on the network. */
export class NetworkFailure extends ToolFailure<FailureFacts & { readonly subject: string }> {}
