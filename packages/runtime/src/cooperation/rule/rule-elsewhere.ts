import { join, relative } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import { isInside } from '../../path/inside.ts'

/** An approval for one folder, in the folder of another member: members work in copies of the same folder. */
export function ruleElsewhere(rule: ApprovalRule, from: string, to: string): ApprovalRule {
  const there = (path: string) => (isInside(path, from) ? join(to, relative(from, path)) : path)
  if (rule.kind === 'path') return { ...rule, path: there(rule.path) }
  return rule.kind === 'command' && rule.folder !== undefined ? { ...rule, folder: there(rule.folder) } : rule
}
