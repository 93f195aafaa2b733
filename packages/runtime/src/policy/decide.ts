// Whether a call may run, needs approval, or is refused. Pure: everything it needs is passed in; the first row that applies decides.
import { resolve } from 'node:path'
import { type ApprovalAnswer, approvalChoices } from '@tandem/contract/run'
import { visibleText } from '@tandem/contract/text'
import { type ApprovalRule, type SandboxMode, strictlyBlockedTools, type ToolPolicy } from '@tandem/contract/tool'
import { coveringRules, rulesForCall, type UnderstoodCall } from './approval-rule-cover.ts'
import { executedFilesOf, findExecutedFiles } from './executed-files.ts'
import { resolvedPath } from './resolved-paths.ts'

export interface CallFacts extends UnderstoodCall {
  readonly tool: string
  readonly policy: ToolPolicy
  /** The approval rules for this run and from "always". */
  readonly remembered: readonly ApprovalRule[]
  readonly sandbox_mode: SandboxMode
  /** Whether the operating system restricts commands to their scope; null if the call executes nothing and it was not determined. */
  readonly enforcement: 'os' | 'none' | null
  /** What to check before approving. A call with a warning is never remembered, and no rule covers it. */
  readonly warnings: readonly string[]
  /** What to know before approving. */
  readonly notes?: readonly string[]
  /** Digests of its commands with the files that they take instructions from: the approval covers exactly these. */
  readonly instructions?: readonly string[]
}

export type Decision =
  | {
      readonly decision: 'allow'
      /** The approval rules that allow the call; absent if the policy allows it without one. */
      readonly covered_by?: readonly ApprovalRule[]
    }
  | {
      readonly decision: 'ask'
      readonly choices: readonly ApprovalAnswer[]
      readonly remembers: readonly ApprovalRule[]
      readonly warnings: readonly string[]
      readonly notes: readonly string[]
      readonly instructions: readonly string[]
      /** The real paths that the call writes and other programs run; an approval covers only these. */
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
  // Computed once: most rows depend on it.
  return refusal(call) ?? leave({ ...call, executed: findExecutedFiles(call) })
}

/** The decision with more warnings; a decision with a warning is not remembered. */
export function withWarnings(decision: Decision, more: readonly string[]): Decision {
  if (decision.decision !== 'ask' || more.length === 0) return decision
  return { ...decision, warnings: [...more, ...decision.warnings], choices: approvalChoices('manual_each_call'), remembers: [] }
}

function refusal({ tool, policy, sandbox_mode, enforcement, effects }: CallFacts): Decision | null {
  // First, because the policy denies these tools in this mode as well, and the mode is the better reason.
  if (sandbox_mode === 'strict' && (strictlyBlockedTools as readonly string[]).includes(tool)) {
    const remedy = 'Use another tool, or run the agent in workspace mode.'
    return refuse('sandbox_enforcement', 'blocked_in_strict', `${tool} is blocked in strict mode, regardless of approvals`, remedy)
  }
  const remote = effects.find((effect) => effect.does === 'execute_remotely')
  if (sandbox_mode === 'strict' && remote) {
    const remedy = 'Run the command on this device, or run the agent in workspace mode.'
    return refuse(
      'sandbox_enforcement',
      'blocked_in_strict',
      `remote executors are blocked in strict mode, regardless of approvals`,
      remedy,
    )
  }
  if (!policy.enabled) {
    return refuse('policy_enforcement', 'tool_disabled', `${tool} is disabled for this agent`, `Enable ${tool} in the agent's policy.`)
  }
  if (policy.approval_mode === 'deny') {
    const remedy = `Change the approval of ${tool} in the agent's policy.`
    return refuse('policy_enforcement', 'tool_denied', `the policy of this agent denies ${tool}`, remedy)
  }
  if (sandbox_mode === 'strict' && enforcement !== 'os' && executes(effects)) {
    const remedy = 'Install what the sandbox needs (the Diagnostics page shows what is missing), or run the agent in workspace mode.'
    return refuse(
      'sandbox_enforcement',
      'sandbox_unavailable',
      'strict mode requires a sandbox, and none is available on this machine',
      remedy,
    )
  }
  return null
}

function leave(call: CallFacts): Decision {
  const { policy } = call
  if (policy.approval_mode === 'manual_each_call') return ask(call, approvalChoices('manual_each_call'), [])
  if (policy.approval_mode === 'auto') return mustBeSeen(call) ? askWithMemory(call) : { decision: 'allow' }
  const covered_by = coveringRules(call, call.remembered)
  return covered_by !== null && warningsOf(call).length === 0 ? { decision: 'allow', covered_by } : askWithMemory(call)
}

/** What needs approval even in `auto`. */
function mustBeSeen(call: CallFacts): boolean {
  return executedFilesOf(call).length > 0 || unheld(call) || (call.command !== null && !call.command.understood && !isScript(call))
}

/** A command that only its approval restricts. */
function unheld({ enforcement, sandbox_mode, effects }: CallFacts): boolean {
  return enforcement !== 'os' && sandbox_mode !== 'trusted' && executes(effects)
}

export function executes(effects: CallFacts['effects']): boolean {
  return effects.some(({ does }) => does === 'execute')
}

function isScript({ effects }: Pick<CallFacts, 'effects'>): boolean {
  return effects.every((effect) => effect.does !== 'execute' || effect.language === 'script')
}

function askWithMemory(call: CallFacts): Decision {
  const remembers = warningsOf(call).length > 0 ? [] : rulesForCall(call)
  return ask(call, approvalChoices(remembers.length > 0 ? 'required' : 'manual_each_call'), remembers)
}

function ask(call: CallFacts, choices: readonly ApprovalAnswer[], remembers: readonly ApprovalRule[]): Decision {
  const { notes = [], instructions = [] } = call
  return {
    decision: 'ask',
    choices,
    remembers,
    warnings: warningsOf(call),
    notes,
    instructions,
    powers: executedFilesOf(call).map(({ real }) => real),
  }
}

/** Everything to check before approving. `--yes` does not approve a call that has any of these. */
function warningsOf(call: CallFacts): readonly string[] {
  const all = allWarnings(call)
  if (all.length <= mostWarnings) return all
  return [...all.slice(0, mostWarnings - 1), `There are ${all.length - mostWarnings + 1} more warnings. Read the call in full.`]
}

/** Together with other warnings, an approval can have up to 50. */
const mostWarnings = 25

function allWarnings(call: CallFacts): readonly string[] {
  const { tool, policy, effects, workspace, places, warnings } = call
  const deleted = effects.flatMap((effect) => (effect.does === 'delete' ? [effect.path] : []))
  return [
    ...executedFilesOf(call).map(
      ({ path }) => `Other programs read or run ${visibleText(path)} automatically: changing it changes what they do.`,
    ),
    ...(unheld(call) ? ['No sandbox is available on this machine: if you approve this command, nothing restricts it.'] : []),
    ...(executes(effects) && isScript(call) ? [`${tool} runs code. Read it in full.`] : []),
    ...deleted
      .filter((path) => resolvedPath(places, resolve(workspace, path)).folder)
      .map((path) => `Deletes the folder ${visibleText(path)} with everything in it.`),
    ...(effects.some((effect) => effect.does === 'send' && effect.host === '*')
      ? ['It can send data to any site that is open in the browser.']
      : []),
    ...(policy.approval_mode === 'manual_each_call' ? [`The policy of this agent requires your approval for every call of ${tool}.`] : []),
    ...warnings,
  ]
}

function refuse(stage: 'policy_enforcement' | 'sandbox_enforcement', reason_code: string, message: string, remedy: string): Decision {
  return { decision: 'refuse', stage, reason_code, message, remedy }
}
