// Results of calls that the loop ends without making them, or without knowing what they did.
import { failureContract } from '../../call/outcome.ts'
import { withoutOutput } from '../../pipeline/pipeline.ts'
import type { CallResult } from '../../pipeline/prepared-call.ts'

export function repeatedCall(tool: string, times: number): CallResult {
  return withoutOutput(
    'failed',
    failureContract('tool_execution', {
      source: tool,
      reason_code: 'repeated_call',
      message: `this call was repeated ${times} times, alone or alternating with other calls, and always had the same result`,
      remedy: 'Try something else, or tell the user what prevents you from continuing.',
      recoverability: 'retryable',
    }),
  )
}

export function deniedCall(tool: string, reason: string | null): CallResult {
  return withoutOutput(
    'denied',
    failureContract('approval', {
      source: tool,
      reason_code: 'denied_by_user',
      message: reason ? `the user denied the call: ${reason}` : 'the user denied the call',
      remedy: 'Respect the decision: say what you need, or ask.',
    }),
  )
}

export function interruptedCall(tool: string, checkpoint_id: string | null) {
  return failureContract('tool_execution', {
    source: tool,
    reason_code: 'interrupted',
    message: `${tool} was running when the runtime stopped; it may or may not have taken effect`,
    remedy: checkpoint_id
      ? `Check the current state before trying again; the recovery point ${checkpoint_id} has the state before the call.`
      : 'Check the current state before trying again.',
    recoverability: checkpoint_id ? 'restore' : 'retryable',
  })
}
