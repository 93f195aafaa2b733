// Whether a call may run, must be asked about, or is refused. Pure: everything it needs is handed in; the first row that applies decides.

import { type ApprovalAnswer, approvalChoices } from '@tandem/contract/run'
import { type ApprovalRule, type SandboxMode, strictlyBlockedTools, type ToolPolicy } from '@tandem/contract/tool'
import { powersOf } from './given-power.ts'
import { isCovered, rememberable, type UnderstoodCall } from './remember.ts'

export interface CallFacts extends UnderstoodCall {
  readonly tool: string
  readonly policy: ToolPolicy
  /** What was said yes to, for this run or for good. */
  readonly remembered: readonly ApprovalRule[]
  readonly sandbox_mode: SandboxMode
  /** Whether the operating system holds commands to their scope. */
  readonly enforcement: 'os' | 'none'
  /** What to look at twice before saying yes. */
  readonly warnings: readonly string[]
}

export type Decision =
  | { readonly decision: 'allow' }
  | {
      readonly decision: 'ask'
      readonly choices: readonly ApprovalAnswer[]
      readonly remembers: readonly ApprovalRule[]
      readonly warnings: readonly string[]
      /** The real paths among what it writes that give power; a yes is to these and no others. */
      readonly powers: readonly string[]
    }
  | {
      readonly decision: 'refuse'
      readonly stage: 'policy_enforcement' | 'sandbox_enforcement'
      readonly reason_code: string
      readonly message: string
      readonly remedy: string
    }

export function decide(call: CallFacts): Decision {
  return refusal(call) ?? leave(call)
}

function refusal({ tool, policy, sandbox_mode, enforcement, effects }: CallFacts): Decision | null {
  if (!policy.enabled) {
    return refuse(
      'policy_enforcement',
      'tool_disabled',
      `${tool} is switched off for this agent`,
      `Switch ${tool} on in the agent's policy.`,
    )
  }
  if (policy.approval_mode === 'deny') {
    const remedy = `Change approval_mode of ${tool} in the agent's policy.`
    return refuse('policy_enforcement', 'tool_denied', `the policy of this agent denies ${tool}`, remedy)
  }
  if (sandbox_mode === 'strict' && (strictlyBlockedTools as readonly string[]).includes(tool)) {
    const remedy = 'Use another tool, or run the agent in workspace mode.'
    return refuse('sandbox_enforcement', 'blocked_in_strict', `${tool} is blocked in strict mode, whatever the approval says`, remedy)
  }
  if (sandbox_mode === 'strict' && enforcement === 'none' && executes(effects)) {
    const remedy = 'Install bubblewrap and socat, or run the agent in workspace mode.'
    return refuse('sandbox_enforcement', 'sandbox_unavailable', 'strict mode needs a sandbox, and this host has none', remedy)
  }
  return null
}

function leave(call: CallFacts): Decision {
  const { policy } = call
  if (policy.approval_mode === 'manual_each_call') return ask(call, approvalChoices('manual_each_call'), [])
  if (policy.approval_mode === 'auto') return mustBeSeen(call) ? askWithMemory(call) : { decision: 'allow' }
  return isCovered(call, call.remembered) && !unheld(call) ? { decision: 'allow' } : askWithMemory(call)
}

/** What even `auto` does not let pass unseen. */
function mustBeSeen(call: CallFacts): boolean {
  return powersOf(call).length > 0 || unheld(call) || (call.command !== null && !call.command.understood && !isScript(call))
}

/** A command that nothing holds back but its approval. */
function unheld({ enforcement, sandbox_mode, effects }: CallFacts): boolean {
  return enforcement === 'none' && sandbox_mode !== 'trusted' && executes(effects)
}

function executes(effects: CallFacts['effects']): boolean {
  return effects.some(({ does }) => does === 'execute')
}

function isScript({ effects }: CallFacts): boolean {
  return effects.every((effect) => effect.does !== 'execute' || effect.language === 'script')
}

function askWithMemory(call: CallFacts): Decision {
  const remembers = powersOf(call).length > 0 || unheld(call) ? [] : rememberable(call)
  return ask(call, approvalChoices(remembers.length > 0 ? 'required' : 'manual_each_call'), remembers)
}

function ask(call: CallFacts, choices: readonly ApprovalAnswer[], remembers: readonly ApprovalRule[]): Decision {
  const { command } = call
  const powers = powersOf(call)
  const warnings = [
    ...powers.map(({ path }) => `${path} is read or run later by other programs: writing it gives power over them`),
    ...(unheld(call) ? ['this host has no sandbox: nothing but your answer holds this command back'] : []),
    ...(command && !command.understood ? [`not all of it is understood: ${command.reason}`] : []),
    ...call.warnings,
  ]
  return { decision: 'ask', choices, remembers, warnings, powers: powers.map(({ real }) => real) }
}

function refuse(stage: 'policy_enforcement' | 'sandbox_enforcement', reason_code: string, message: string, remedy: string): Decision {
  return { decision: 'refuse', stage, reason_code, message, remedy }
}
