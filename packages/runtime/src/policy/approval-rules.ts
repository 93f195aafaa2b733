// The rules that were created by the answer "always".
import { createHash } from 'node:crypto'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Policies } from './policies.ts'
import { isGrantable } from './shell/rules.ts'

export interface GrantedRule {
  /** Stable for the same rule. */
  readonly rule_id: string
  readonly agent_id: string
  readonly tool: string
  readonly rule: ApprovalRule
  readonly applies: boolean
}

export function rulesOf(policies: Pick<Policies, 'list'>, agent_id: string): readonly GrantedRule[] {
  return policies
    .list(agent_id)
    .flatMap(({ tool, remembered }) =>
      remembered.map((rule) => ({ rule_id: ruleId(agent_id, tool, rule), agent_id, tool, rule, applies: applies(tool, rule) })),
    )
}

function ruleId(agent_id: string, tool: string, rule: ApprovalRule): string {
  return createHash('sha256')
    .update(JSON.stringify([agent_id, tool, rule]))
    .digest('hex')
    .slice(0, 12)
}

/** A rule about a whole tool never covers commands. */
function applies(tool: string, rule: ApprovalRule): boolean {
  if (rule.kind === 'command') return isGrantable(rule)
  return rule.kind !== 'tool' || (tool !== 'shell.exec' && tool !== 'script.run')
}
