// Whether a skill or a workflow asks for more than its agent may do. Pure.
import type { SkillRequirements } from '@tandem/contract/skill'
import { type SandboxMode, sandboxModes, type ToolPolicy } from '@tandem/contract/tool'
import { namesTool } from '../../../skill/allowed-tools.ts'

export interface AgentLimits {
  readonly sandbox_mode: SandboxMode
  readonly tools: readonly string[]
  policyOf(tool: string): Pick<ToolPolicy, 'enabled' | 'approval_mode'>
}

export interface AskedPermissions {
  /** Tools that the agent must not use: it cannot be used by this agent. */
  readonly forbidden: readonly string[]
  /** It asks for more than runs without a question. */
  readonly more: boolean
}

/** `allowed`: the entries of `allowed-tools`, or the names of tools. */
export function askedPermissions(allowed: readonly string[], requires: SkillRequirements, limits: AgentLimits): AskedPermissions {
  const named = limits.tools.filter((tool) => namesTool(allowed, tool))
  const forbidden = named.filter((tool) => isForbidden(limits.policyOf(tool)))
  const asking = named.filter((tool) => !isForbidden(limits.policyOf(tool)) && limits.policyOf(tool).approval_mode !== 'auto')
  // An entry with a restriction, such as Bash(git:*), cannot be checked.
  const unchecked = allowed.some((entry) => entry.includes('('))
  const { required_sandbox: sandbox } = requires
  const isLooser = sandbox !== null && sandboxModes.indexOf(sandbox) < sandboxModes.indexOf(limits.sandbox_mode)
  const reachesOut = requires.remote_host || requires.remote_executor_protocol !== null || requires.required_remote_capabilities.length > 0
  return { forbidden, more: asking.length > 0 || unchecked || isLooser || reachesOut || requires.env.length > 0 }
}

function isForbidden({ enabled, approval_mode }: Pick<ToolPolicy, 'enabled' | 'approval_mode'>): boolean {
  return !enabled || approval_mode === 'deny'
}
