// The words of the approval rules ("Always allow") that cover a call: the person approved exactly these. What the call has in addition is
// covered without anyone having seen it. Pure.
import { resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import { relativeInside } from '../../../path/inside.ts'
import { programsIn } from '../../../policy/shell/run-programs.ts'
import { textsIn } from '../../rule/call-shape.ts'

/** `args`: as the call had them, with full paths or paths relative to the workspace. Null if no rule covers it. */
export function coveredWords(
  args: Readonly<Record<string, unknown>>,
  workspace: string,
  rules: readonly ApprovalRule[],
): readonly string[] | null {
  const words = rules.flatMap((rule) => {
    const found = wordsOf(rule, args, workspace)
    return found === null ? [] : [found]
  })
  return words.length === 0 ? null : [...new Set(words.flat())]
}

function wordsOf(rule: ApprovalRule, args: Readonly<Record<string, unknown>>, workspace: string): readonly string[] | null {
  const { command } = args
  switch (rule.kind) {
    case 'command': {
      const commands = typeof command === 'string' ? programsIn(command).map(({ program, words }) => [program, ...words]) : []
      return commands.some((words) => rule.words.every((word, at) => words[at] === word)) ? rule.words : null
    }
    case 'path': {
      if (typeof command === 'string') return null
      const isBelow = textsIn(args).some((text) => isPlain(text) && relativeInside(resolve(workspace, text), rule.path) !== null)
      if (!isBelow) return null
      const place = relativeInside(rule.path, workspace)
      // The workspace itself, or another folder, says nothing about a routine.
      return place === null || place === '' ? [] : [place, ...place.split('/')]
    }
    case 'host':
      return textsIn(args).some((text) => URL.parse(text)?.host === rule.host) ? [rule.host] : null
    case 'tool':
      return []
  }
}

function isPlain(text: string): boolean {
  return text.length <= 4_096 && !text.includes('\n') && text !== ''
}
