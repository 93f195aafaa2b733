// What "this run" and "always" remember of a call, and whether they cover another call. Only what was understood is remembered.
import { resolve } from 'node:path'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Effect } from '../call/tool.ts'
import { isInside } from '../path/inside.ts'
import { type ExecutedFile, executedFilesOf } from './executed-files.ts'
import { type ResolvedPaths, resolvedPath } from './resolved-paths.ts'
import { commandRules, rulesFor } from './shell/rules.ts'
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

/** The rules that together cover everything that the call does; null if they do not. */
export function coveringRules(call: UnderstoodCall, rules: readonly ApprovalRule[]): readonly ApprovalRule[] | null {
  const [first] = rules
  if (first === undefined || executedFilesOf(call).length > 0) return null
  const covering: ApprovalRule[] = []
  for (const effect of call.effects) {
    const found = coveringEffect(effect, call, rules)
    if (found === null) return null
    covering.push(...found)
  }
  // A call that only reads is covered by any rule of its tool.
  return covering.length > 0 ? unique(covering) : [rules.find(({ kind }) => kind === 'tool') ?? first]
}

function coveringEffect(effect: Effect, call: UnderstoodCall, rules: readonly ApprovalRule[]): readonly ApprovalRule[] | null {
  const { workspace, command, places } = call
  switch (effect.does) {
    case 'read':
      return []
    case 'write': {
      const { real } = resolvedPath(places, resolve(workspace, effect.path))
      return one(rules.find((rule) => rule.kind === 'path' && isInside(real, rule.path)))
    }
    case 'delete': {
      const file = deletedFile(effect.path, call)
      return file === null ? null : one(rules.find((rule) => rule.kind === 'path' && rule.path === file))
    }
    case 'fetch':
    case 'send':
      return one(rules.find((rule) => rule.kind === 'host' && rule.host === effect.host && rule.does === effect.does))
    case 'execute':
      return effect.language === 'shell' && command !== null ? commandRules(command, rules, call) : null
    case 'note':
      return one(rules.find((rule) => rule.kind === 'tool'))
    case 'execute_remotely':
    case 'signal':
      return null
  }
}

function one(rule: ApprovalRule | undefined): readonly ApprovalRule[] | null {
  return rule === undefined ? null : [rule]
}

/** The file that is deleted; null for a folder, whose contents were not checked. */
function deletedFile(path: string, { workspace, places }: UnderstoodCall): string | null {
  const { entry, folder } = resolvedPath(places, resolve(workspace, path))
  return folder || isInside(workspace, entry) ? null : entry
}

function unique(rules: readonly ApprovalRule[]): readonly ApprovalRule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
}
