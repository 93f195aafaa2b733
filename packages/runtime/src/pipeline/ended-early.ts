// Why a call has no result of its own: it was stopped, or never made.
import type { FailureContract } from '@tandem/contract/failure'
import { failureContract } from '../call/outcome.ts'
import type { ReadyCall } from './prepared-call.ts'

export function overTime({ tool, policy }: ReadyCall): FailureContract {
  return failureContract('policy_enforcement', {
    source: tool,
    reason_code: 'time_limit_exceeded',
    message: `${tool} was stopped after ${policy.time_limit.seconds} s. What it had done by then was not undone.`,
    recoverability: 'retryable',
    remedy: `Do less in one call, or raise the time limit of ${tool} in the agent's policy.`,
  })
}

export function neverMade(tool: string): FailureContract {
  return failureContract('tool_execution', {
    source: tool,
    reason_code: 'canceled',
    message: `${tool} was not called: the run ended first`,
    recoverability: 'user_action',
  })
}

export function canceledCall(tool: string): FailureContract {
  return failureContract('tool_execution', {
    source: tool,
    reason_code: 'canceled',
    message: `${tool} was canceled while it was running. What it had done by then was not undone.`,
    recoverability: 'user_action',
  })
}
