// What «always» may remember of a command, and what a remembered rule lets through.
import { posix, resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import { isInside } from '../inside.ts'
import { type Places, pathOfWord, placeIn } from '../places.ts'
import { isHarmless, type Row, rowFor } from './program-table.ts'
import { changesFolder } from './programs.ts'
import type { SimpleCommand, Understanding } from './understanding.ts'

const mostWords = 20
const longestWord = 500
const longestPath = 4_096

/** Where a command acts. */
export interface CommandPlace {
  readonly workspace: string
  readonly places?: Places
}

type Understood = Extract<Understanding, { understood: true }>

/** The rules that would cover this command, or none when nothing of it may be remembered. */
export function rulesFor(understanding: Understanding, place: CommandPlace): readonly ApprovalRule[] {
  if (!understanding.understood || understanding.cwd_changes || !readsInside(understanding, place)) return []
  const rules = [...understanding.commands.map((command) => ruleFor(command, understanding, place)), ...understanding.writes.map(pathRule)]
  return rules.every((rule) => rule !== null) ? withoutRepeats(rules) : []
}

/** Every simple command and every write is covered by a rule. One that is not, and the whole is asked. */
export function covered(understanding: Understanding, rules: readonly ApprovalRule[], place: CommandPlace): boolean {
  if (!understanding.understood || understanding.cwd_changes || !readsInside(understanding, place)) return false
  const { commands, writes } = understanding
  if (commands.length + writes.length === 0) return false
  return (
    commands.every((command) => rules.some((rule) => covers(rule, command, understanding, place))) &&
    writes.every((path) => rules.some((rule) => holds(rule, path) && holds(rule, placeIn(place.places, path).real)))
  )
}

/** The first words of a known program when the rest is harmless; otherwise the whole command, word for word, in this folder. */
function ruleFor({ words }: SimpleCommand, understanding: Understood, place: CommandPlace): ApprovalRule | null {
  const known = rowFor(words)
  const short = known && onlyLooks(words.slice(known.length), known.row, understanding, place)
  const remembered = short ? words.slice(0, known.length) : words
  const fits = remembered.length <= mostWords && remembered.every((word) => word !== '' && word.length <= longestWord)
  if (!fits || changesFolder.includes(words[0] ?? '')) return null
  const { folder } = understanding
  const bound = folder !== undefined && !(short && !known.row.bound)
  return { kind: 'command', words: [...remembered], ...(bound ? { folder } : {}) }
}

function covers(rule: ApprovalRule, { words }: SimpleCommand, understanding: Understood, place: CommandPlace): boolean {
  if (rule.kind === 'tool') return true
  if (rule.kind !== 'command') return false
  const here = rule.folder === understanding.folder
  if (here && isSame(words, rule.words)) return true
  const known = rowFor(rule.words)
  if (known?.length !== rule.words.length || (known.row.bound && !here)) return false
  return isSame(words.slice(0, known.length), rule.words) && onlyLooks(words.slice(known.length), known.row, understanding, place)
}

/** The rest of a known command changes nothing, and names nothing outside the workspace. */
function onlyLooks(rest: readonly string[], row: Row, { folder }: Understood, place: CommandPlace): boolean {
  const from = folder ?? place.workspace
  if (!isHarmless(rest, row) || !isWithin(from, place)) return false
  return row.more === 'text' || rest.every((word) => isOwn(word, from, place))
}

function isOwn(word: string, folder: string, place: CommandPlace): boolean {
  if (word.startsWith('-') && !/=(?:[/~]|.*\.\.)/.test(word)) return true
  const path = pathOfWord(word, folder)
  // Behind a link the way up is another one than it looks.
  return path === null || (!/[^./][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(word) && isWithin(path, place))
}

function isWithin(path: string, { workspace, places }: CommandPlace): boolean {
  return isInside(path, workspace) && isInside(placeIn(places, path).real, workspace)
}

function readsInside({ reads, folder }: Understood, place: CommandPlace): boolean {
  return reads.every((path) => isWithin(resolve(folder ?? place.workspace, path), place))
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
