// What «this run» and «always» remember of a call, and whether they cover another one. Only what was understood is remembered.
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Effect } from '../tools/define.ts'
import { givesPower } from './power.ts'
import { covered as commandCovered, rulesFor } from './shell/rules.ts'
import type { Understanding } from './shell/understanding.ts'

export interface UnderstoodCall {
  readonly effects: readonly Effect[]
  readonly workspace: string
  /** What the command of an `execute` effect was understood to be; null for calls that execute nothing. */
  readonly command: Understanding | null
}

/** None at all unless every effect has a rule: half a promise would be asked about again, and nobody would know why. */
export function rememberable({ effects, workspace, command }: UnderstoodCall): readonly ApprovalRule[] {
  const acting = effects.filter(({ does }) => does !== 'read')
  if (acting.length === 0) return [{ kind: 'tool' }]
  const rules: ApprovalRule[] = []
  for (const effect of acting) {
    const found = rulesOf(effect, workspace, command)
    if (found.length === 0) return []
    rules.push(...found)
  }
  return unique(rules)
}

function rulesOf(effect: Effect, workspace: string, command: Understanding | null): readonly ApprovalRule[] {
  switch (effect.does) {
    case 'write':
    case 'delete': {
      const path = resolve(workspace, effect.path)
      if (givesPower(path)) return []
      // A write can be taken back from the whole workspace; what is deleted is looked at folder by folder.
      return [{ kind: 'path', path: effect.does === 'write' && inside(workspace, path) ? workspace : dirname(path) }]
    }
    case 'fetch':
    case 'send':
      return effect.host === '*' ? [] : [{ kind: 'host', host: effect.host }]
    case 'execute':
      return effect.language === 'shell' && command && !writesPower(command) ? rulesFor(command) : []
    case 'note':
      return [{ kind: 'tool' }]
    case 'signal':
    case 'read':
      return []
  }
}

/** Whether everything the call does was said yes to before. */
export function isCovered({ effects, workspace, command }: UnderstoodCall, rules: readonly ApprovalRule[]): boolean {
  if (rules.length === 0) return false
  return effects.every((effect) => coversEffect(effect, { workspace, command }, rules))
}

function coversEffect(effect: Effect, { workspace, command }: Omit<UnderstoodCall, 'effects'>, rules: readonly ApprovalRule[]): boolean {
  switch (effect.does) {
    case 'read':
      return true
    case 'write':
    case 'delete': {
      const path = resolve(workspace, effect.path)
      return !givesPower(path) && rules.some((rule) => rule.kind === 'path' && inside(rule.path, path))
    }
    case 'fetch':
    case 'send':
      return rules.some((rule) => rule.kind === 'host' && rule.host === effect.host)
    case 'execute':
      return effect.language === 'shell' && command !== null && !writesPower(command) && commandCovered(command, rules)
    case 'note':
      return rules.some((rule) => rule.kind === 'tool')
    case 'signal':
      return false
  }
}

function writesPower(command: Understanding): boolean {
  return command.understood && command.writes.some(givesPower)
}

function inside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && !isAbsolute(way))
}

function unique(rules: readonly ApprovalRule[]): readonly ApprovalRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
