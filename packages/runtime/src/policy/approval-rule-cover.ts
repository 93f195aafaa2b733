// What "this run" and "always" remember of a call, and whether they cover another call. Only what was understood is remembered.
import { resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Effect } from '../call/tool.ts'
import { isInside } from '../path/inside.ts'
import { type ExecutedFile, executedFilesOf } from './executed-files.ts'
import { type ResolvedPaths, resolvedPath } from './resolved-paths.ts'
import { isCommandCovered as commandCovered, rulesFor } from './shell/rules.ts'
import type { ParsedCommand } from './shell/understanding.ts'

export interface UnderstoodCall {
  readonly effects: readonly Effect[]
  readonly workspace: string
  /** The parsed command of an `execute` effect; null for calls that execute nothing. */
  readonly command: ParsedCommand | null
  /** The real locations of its paths; without it, paths are where their names say. */
  readonly places?: ResolvedPaths
  /** What each simple command will write or remove, by its text. */
  readonly targets?: ReadonlyMap<string, readonly string[]>
  /** The files that it writes and other programs run. Computed if it is absent. */
  readonly executed?: readonly ExecutedFile[]
  /** A digest of the files that a command takes instructions from. */
  digestOf?(words: readonly string[]): string | null
}

/** None unless every effect has a rule: otherwise the same call would need approval again, for no visible reason. */
export function rulesForCall(call: UnderstoodCall): readonly ApprovalRule[] {
  const acting = call.effects.filter(({ does }) => does !== 'read')
  if (acting.length === 0) return [{ kind: 'tool' }]
  if (executedFilesOf(call).length > 0) return []
  const rules: ApprovalRule[] = []
  for (const effect of acting) {
    const found = rulesOf(effect, call)
    if (found.length === 0) return []
    rules.push(...found)
  }
  return unique(rules)
}

function rulesOf(effect: Effect, call: UnderstoodCall): readonly ApprovalRule[] {
  const { workspace, command, places } = call
  switch (effect.does) {
    case 'write': {
      const { real } = resolvedPath(places, resolve(workspace, effect.path))
      // A write can be restored in the whole workspace; outside of it, the rule covers only this file.
      return [{ kind: 'path', path: isInside(real, workspace) ? workspace : real }]
    }
    case 'delete': {
      const one = deletedFile(effect.path, call)
      return one === null ? [] : [{ kind: 'path', path: one }]
    }
    case 'fetch':
    case 'send':
      return effect.host === '*' ? [] : [{ kind: 'host', host: effect.host, does: effect.does }]
    case 'execute':
      return effect.language === 'shell' && command ? rulesFor(command, call) : []
    case 'note':
      return [{ kind: 'tool' }]
    case 'execute_remotely':
    case 'signal':
    case 'read':
      return []
  }
}

/** Whether rules cover everything that the call does. */
export function isCoveredByRules(call: UnderstoodCall, rules: readonly ApprovalRule[]): boolean {
  if (rules.length === 0 || executedFilesOf(call).length > 0) return false
  return call.effects.every((effect) => coversEffect(effect, call, rules))
}

function coversEffect(effect: Effect, call: UnderstoodCall, rules: readonly ApprovalRule[]): boolean {
  const { workspace, command, places } = call
  switch (effect.does) {
    case 'read':
      return true
    case 'write': {
      const { real } = resolvedPath(places, resolve(workspace, effect.path))
      return rules.some((rule) => rule.kind === 'path' && isInside(real, rule.path))
    }
    case 'delete': {
      const one = deletedFile(effect.path, call)
      return one !== null && rules.some((rule) => rule.kind === 'path' && rule.path === one)
    }
    case 'fetch':
    case 'send':
      return rules.some((rule) => rule.kind === 'host' && rule.host === effect.host && rule.does === effect.does)
    case 'execute':
      return effect.language === 'shell' && command !== null && commandCovered(command, rules, call)
    case 'note':
      return rules.some((rule) => rule.kind === 'tool')
    case 'execute_remotely':
    case 'signal':
      return false
  }
}

/** The file that is deleted; null for a folder, whose contents were not checked. */
function deletedFile(path: string, { workspace, places }: UnderstoodCall): string | null {
  const { entry, folder } = resolvedPath(places, resolve(workspace, path))
  return folder || isInside(workspace, entry) ? null : entry
}

function unique(rules: readonly ApprovalRule[]): readonly ApprovalRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
