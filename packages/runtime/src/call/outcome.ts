// Failures of a call as values: the only place that creates the failure contract of the specification.
import { classifyFailure, type FailureContract, type FailureStage, type Recoverability } from '@tandem/contract/failure'
import type { ToolOutcome } from '@tandem/contract/run'
import { ToolFailure } from './failure.ts'

export interface FailureDetails {
  readonly source: string
  readonly reason_code: string
  readonly message: string
  readonly recoverability?: Recoverability
  readonly subject?: string
  readonly remedy?: string
  readonly blocked_by_sandbox?: boolean
}

export function failureContract(stage: FailureStage, details: FailureDetails): FailureContract {
  const { source, reason_code, message, subject, remedy, recoverability = 'user_action', blocked_by_sandbox = false } = details
  return {
    taxonomy: classifyFailure({ stage, blocked_by_sandbox }),
    stage,
    source: source.slice(0, 200),
    reason_code,
    recoverability,
    details: {
      message: message.slice(0, 65_000),
      ...(subject ? { subject: line(subject) } : {}),
      ...(remedy ? { remedy: line(remedy) } : {}),
    },
  }
}

/** How a call that did not succeed ended. */
export interface FailedCall {
  readonly outcome: Exclude<ToolOutcome, 'succeeded'>
  readonly failure_contract: FailureContract
  readonly output: unknown
}

/** An error thrown inside a tool, as a value. Anything but a `ToolFailure` is a bug, and is reported as one. */
export function failedCall(tool: string, error: unknown): FailedCall {
  if (!(error instanceof ToolFailure)) {
    const message = error instanceof Error ? error.message : String(error)
    const details = { source: tool, reason_code: 'internal_error', message: `${tool} failed unexpectedly: ${message}` }
    return {
      outcome: 'failed',
      failure_contract: failureContract('tool_execution', { ...details, recoverability: 'retryable' }),
      output: null,
    }
  }
  const { reason_code, message, facts } = error
  const stage = facts.blocked_by === 'policy' ? 'policy_enforcement' : 'tool_execution'
  return {
    outcome: facts.blocked_by ? 'denied' : 'failed',
    failure_contract: failureContract(stage, {
      source: tool,
      reason_code,
      message,
      blocked_by_sandbox: facts.blocked_by === 'sandbox',
      recoverability: facts.recoverability ?? (facts.blocked_by ? 'user_action' : 'retryable'),
      ...(facts.subject ? { subject: facts.subject } : {}),
      ...(facts.remedy ? { remedy: facts.remedy } : {}),
    }),
    output: facts.output ?? null,
  }
}

function line(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499)}…`
}
