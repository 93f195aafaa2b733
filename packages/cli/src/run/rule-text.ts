import type { ApprovalRule } from '@tandem/contract/tool'
import { escapeControls } from '../terminal/terminal-text.ts'

/** Which calls a rule covers. */
export function ruleText(rule: ApprovalRule): string {
  switch (rule.kind) {
    case 'tool':
      return 'every call of the tool'
    case 'command':
      return `commands that begin with ${escapeControls(rule.words.join(' '))}${rule.folder === undefined ? '' : `, only in ${escapeControls(rule.folder)}`}${
        rule.instructions === undefined ? '' : ', as long as the files that control them (such as package.json) do not change'
      }`
    case 'path':
      return `${escapeControls(rule.path)} (if it is a folder, with everything in it)`
    case 'host':
      return rule.does === 'fetch'
        ? `requests that only read from ${escapeControls(rule.host)}; sending data still needs approval`
        : `data sent to ${escapeControls(rule.host)}`
  }
}
