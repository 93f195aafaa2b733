// What «always» may remember of a command, and what a remembered rule lets through.
import { posix } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import { isHarmless, rowFor } from './program-table.ts'
import { changesFolder } from './programs.ts'
import type { SimpleCommand, Understanding } from './understanding.ts'

const mostWords = 20
const longestWord = 500
const longestPath = 4_096

/** The rules that would cover this command, or none when nothing of it may be remembered. */
export function rulesFor(understanding: Understanding): readonly ApprovalRule[] {
  if (!understanding.understood || understanding.cwd_changes) return []
  const rules = [...understanding.commands.map(ruleFor), ...understanding.writes.map(pathRule)]
  return rules.every((rule) => rule !== null) ? withoutRepeats(rules) : []
}

/** Every simple command and every write is covered by a rule. One that is not, and the whole is asked. */
export function covered(understanding: Understanding, rules: readonly ApprovalRule[]): boolean {
  if (!understanding.understood || understanding.cwd_changes) return false
  const { commands, writes } = understanding
  if (commands.length + writes.length === 0) return false
  return (
    commands.every((command) => rules.some((rule) => covers(rule, command))) &&
    writes.every((path) => rules.some((rule) => holds(rule, path)))
  )
}

/** The first words of a known program when the rest is harmless; otherwise the whole command, word for word. */
function ruleFor({ words }: SimpleCommand): ApprovalRule | null {
  const known = rowFor(words)
  const remembered = known && isHarmless(words.slice(known.length), known.row) ? words.slice(0, known.length) : words
  const fits = remembered.length <= mostWords && remembered.every((word) => word !== '' && word.length <= longestWord)
  return fits && !changesFolder.includes(words[0] ?? '') ? { kind: 'command', words: [...remembered] } : null
}

function covers(rule: ApprovalRule, { words }: SimpleCommand): boolean {
  if (rule.kind === 'tool') return true
  if (rule.kind !== 'command') return false
  if (isSame(words, rule.words)) return true
  const known = rowFor(rule.words)
  if (known?.length !== rule.words.length) return false
  return isSame(words.slice(0, known.length), rule.words) && isHarmless(words.slice(known.length), known.row)
}

function pathRule(path: string): ApprovalRule | null {
  return path.length <= longestPath ? { kind: 'path', path: posix.normalize(path) } : null
}

/** A file, or all below a folder. */
function holds(rule: ApprovalRule, path: string): boolean {
  if (rule.kind === 'tool') return true
  if (rule.kind !== 'path') return false
  const way = posix.relative(posix.normalize(rule.path), posix.normalize(path))
  const sameKind = posix.isAbsolute(rule.path) === posix.isAbsolute(path)
  return sameKind && (way === '' || (way !== '..' && !way.startsWith('../')))
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at])
}

function withoutRepeats(rules: readonly ApprovalRule[]): ApprovalRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
