// What "this run" and "always" may remember of a command, and which commands a rule covers. Only commands that the tables list as harmless,
// or as running the project's own code, are remembered; everything else needs approval each time.
import { posix, resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import { resolvedPath } from '../resolved-paths.ts'
import { rowFor } from './program-table.ts'
import { type CommandLocation, isWithin, readCommand } from './read-command.ts'
import type { ParsedCommand, SimpleCommand } from './understanding.ts'

const mostWords = 20
const longestWord = 500
const longestPath = 4_096

type Understood = Extract<ParsedCommand, { understood: true }>

/** The rules that would cover this command; empty if it may not be remembered. */
export function rulesFor(understanding: ParsedCommand, place: CommandLocation): readonly ApprovalRule[] {
  if (!understanding.understood || understanding.cwd_changes || !readsInside(understanding, place)) return []
  const rules = [...understanding.commands.map((command) => ruleFor(command, understanding, place)), ...understanding.writes.map(pathRule)]
  return rules.every((rule) => rule !== null) ? withoutRepeats(rules) : []
}

/** The rules that cover every simple command and every write; null if one has none: then the whole command needs approval. */
export function commandRules(
  understanding: ParsedCommand,
  rules: readonly ApprovalRule[],
  place: CommandLocation,
): readonly ApprovalRule[] | null {
  if (!understanding.understood || understanding.cwd_changes || !readsInside(understanding, place)) return null
  const { commands, writes } = understanding
  if (commands.length + writes.length === 0) return null
  const covering: ApprovalRule[] = []
  for (const command of commands) {
    const found = rules.find((rule) => covers(rule, command, understanding, place))
    if (!found) return null
    covering.push(found)
  }
  for (const path of writes) {
    const found = rules.find((rule) => holds(rule, path) && holds(rule, resolvedPath(place.places, path).real))
    if (!found) return null
    covering.push(found)
  }
  return covering
}

/** Whether a rule about a command could still be granted. Rules of earlier versions covered more. */
export function isGrantable(rule: Extract<ApprovalRule, { kind: 'command' }>): boolean {
  const known = rowFor(rule.words)
  return known?.length === rule.words.length && (known.row.instructions === undefined || rule.instructions !== undefined)
}

/** The words that name a known command, if all words after them are harmless. */
function ruleFor(command: SimpleCommand, { folder }: Understood, place: CommandLocation): ApprovalRule | null {
  const read = readCommand(command, folder, place)
  if (read.kind !== 'known' || read.outside.length > 0) return null
  const { row, length } = read.known
  const words = command.words.slice(0, length)
  if (words.length > mostWords || words.some((word) => word === '' || word.length > longestWord)) return null
  const digest = row.instructions === undefined ? undefined : (place.digestOf?.(command.words) ?? null)
  if (digest === null) return null
  return {
    kind: 'command',
    words: [...words],
    ...(row.bound && folder !== undefined ? { folder } : {}),
    ...(digest === undefined ? {} : { instructions: digest }),
  }
}

function covers(rule: ApprovalRule, command: SimpleCommand, understanding: Understood, place: CommandLocation): boolean {
  // Most rules are about another program: reading the command would not change that.
  if (rule.kind !== 'command' || rule.words.some((word, at) => word !== command.words[at]) || !isGrantable(rule)) return false
  const now = ruleFor(command, understanding, place)
  return now?.kind === 'command' && isSame(now.words, rule.words) && now.folder === rule.folder && now.instructions === rule.instructions
}

function readsInside({ reads, folder }: Understood, place: CommandLocation): boolean {
  return reads.every((path) => isWithin(resolve(folder ?? place.workspace, path), place))
}

function pathRule(path: string): ApprovalRule | null {
  return path.length <= longestPath ? { kind: 'path', path: posix.normalize(path) } : null
}

/** A file, or everything below a folder. */
function holds(rule: ApprovalRule, path: string): boolean {
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
