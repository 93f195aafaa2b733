import type { ApprovalRule } from '@tandem/contract/tool'
import { words } from '../strings/window.ts'

/** Which calls a saved approval covers. */
export function ruleText(rule: ApprovalRule, tool: string): string {
  switch (rule.kind) {
    case 'tool':
      return words.approval.everyCall(tool)
    case 'command':
      return words.approval.command(rule.words.join(' '), rule.folder, rule.instructions !== undefined)
    case 'path':
      return words.approval.path(rule.path)
    case 'host':
      return words.approval.host(rule.host, rule.does)
  }
}
