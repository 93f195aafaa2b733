// A person approves the same safe command or path again and again: exactly the rule that these approvals offered under "Always".

import { canonicalJson } from '@tandem/contract/sync'
import { type ApprovalRule, defaultToolPolicy, type McpToolName } from '@tandem/contract/tool'
import { type CandidateRule, change, type Proposal, shown, times } from './recommended.ts'
import { type CallHistory, groupBy, isApprovedByPerson, isDeniedByPerson, type RecordedCall } from './recorded-call.ts'

export const neededApprovals = 10

export const approvedRule: CandidateRule = {
  rule: 'approved_rule',
  propose(history) {
    const asked = history.calls.filter((call) => call.answer !== null && !call.edited && isCommandOrPath(call.remembers))
    const groups = groupBy(asked, ({ tool, remembers }) => `${tool}\n${canonicalJson(remembers)}`)
    return [...groups.values()].flatMap((group) => proposed(history, group) ?? [])
  },
}

function proposed(history: CallHistory, calls: readonly RecordedCall[]): Proposal | null {
  const [first] = calls
  if (!first || calls.some((call) => call.warned || isDeniedByPerson(call))) return null
  const { tool, remembers } = first
  const approved = calls.filter(isApprovedByPerson)
  if (approved.length < neededApprovals || approved.length < calls.length) return null
  const { policy, remembered } = history.policyOf(tool)
  // In the other modes a rule changes nothing, and a tool that only reads gets `auto` instead.
  if (policy.approval_mode !== 'required' || onlyReads(tool)) return null
  const known = new Set(remembered.map((rule) => canonicalJson(rule)))
  if (remembers.every((rule) => known.has(canonicalJson(rule)))) return null
  return {
    changes: [change(tool, 'remembered', [], remembers)],
    title: `Allow ${tool} ${rulesText(remembers)} without asking, because you approved it ${times(approved.length)} in a row.`,
    rationale: `You approved ${tool} ${rulesText(remembers)} ${times(approved.length)} in a row and never denied it. The change adds the rule that these approvals offered under "Always". A call with a warning, or one that does more, still needs your approval.`,
    because: approved,
    needed: neededApprovals,
  }
}

/** Calls of these tools need no approval by default. */
export function onlyReads(tool: string): boolean {
  return defaultToolPolicy(tool as McpToolName).approval_mode === 'auto'
}

function isCommandOrPath(rules: readonly ApprovalRule[]): boolean {
  return rules.length > 0 && rules.every(({ kind }) => kind === 'command' || kind === 'path')
}

const mostNamed = 2

function rulesText(rules: readonly ApprovalRule[]): string {
  const named = rules.slice(0, mostNamed).map(ruleText).join(' and ')
  return rules.length <= mostNamed ? named : `${named} and ${rules.length - mostNamed} more`
}

function ruleText(rule: ApprovalRule): string {
  if (rule.kind === 'command') return `"${shown(rule.words.join(' '))}"${rule.folder === undefined ? '' : ` in ${shown(rule.folder)}`}`
  return rule.kind === 'path' ? `on ${shown(rule.path)}` : ''
}
