// Why a call is refused before it runs, as failures.
import type { FailureContract } from '@tandem/contract/failure'
import type { ToolPolicy } from '@tandem/contract/tool'
import { failureContract } from '../call/outcome.ts'
import type { ToolRefusal } from '../call/tool.ts'
import type { Decision } from '../policy/decide.ts'
import type { ToolRegistry } from './registry.ts'

export function unknownTool(tool: string, registry: ToolRegistry): FailureContract {
  const [family = ''] = tool.split(/[._]/)
  const near = registry.list().filter(({ name }) => name.startsWith(`${family}.`))
  const offered = (near.length > 0 ? near : registry.list()).map(({ name }) => name).slice(0, 20)
  return failureContract('tool_resolution', {
    source: tool || 'unnamed',
    reason_code: 'unknown_tool',
    message: `there is no tool called ${tool || '(nothing)'}`,
    recoverability: 'retryable',
    remedy: `Use one of ${offered.join(', ')}.`,
  })
}

/** Its run may not use the tool, whatever the policy is. */
export function barredTool(tool: string, refusal: ToolRefusal): FailureContract {
  return failureContract('policy_enforcement', { source: tool, ...refusal })
}

export function refusedBy(
  tool: string,
  { stage, reason_code, message, remedy }: Extract<Decision, { decision: 'refuse' }>,
): FailureContract {
  return failureContract(stage, { source: tool, reason_code, message, remedy })
}

export function overRate(tool: string, policy: ToolPolicy, wait_ms: number): FailureContract {
  const { calls, per_seconds } = policy.rate_limit
  return failureContract('policy_enforcement', {
    source: tool,
    reason_code: 'rate_limited',
    message: `the rate limit of ${tool} was reached (${calls} calls per ${per_seconds} s)`,
    recoverability: 'retryable',
    remedy: `Wait ${Math.ceil(wait_ms / 1_000)} s, or raise the rate limit of ${tool} in the agent's policy.`,
  })
}
