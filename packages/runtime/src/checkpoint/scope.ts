// What a call puts at stake on disk, before anything is looked at.
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, parse, resolve } from 'node:path'
import type { Effect } from '../tools/define.ts'
import { commandTargets } from './command-targets.ts'
import { statsOf } from './stats.ts'

export interface PlannedCall {
  readonly call_id: string
  readonly tool: string
  readonly effects: readonly Effect[]
  /** The real path of the folder the run works in. */
  readonly workspace: string
  /** Where the script stands, for `script.run` with a file: narrower than its working directory. */
  readonly script_folder?: string
  /** Paths the tool knows it will write, beyond what its effects and its command line say. */
  readonly outputs?: readonly string[]
}

export interface CallScope {
  readonly root: string
  /** `tree`: everything below the root may change. `paths`: only the targets, and what lies below them. */
  readonly reach: 'tree' | 'paths'
  readonly targets: readonly string[]
  /** A command ran whose effects can't all be known from outside. */
  readonly opaque: boolean
}

/** Null for a call that changes nothing on disk. */
export function scopeOf(call: PlannedCall): CallScope | null {
  const within = (path: string) => real(isAbsolute(path) ? resolve(path) : resolve(call.workspace, path))
  const written = call.effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [within(effect.path)] : []))
  const outputs = (call.outputs ?? []).map(within)
  const command = call.effects.find((effect) => effect.does === 'execute')
  if (!command) {
    const targets = unique([...written, ...outputs].flatMap(followed))
    return targets.length === 0 ? null : { root: real(resolve(call.workspace)), reach: 'paths', targets, opaque: false }
  }
  const cwd = within(command.cwd)
  const root = call.script_folder === undefined ? cwd : within(call.script_folder)
  const said = command.language === 'shell' ? commandTargets(command.command, cwd).map(real) : []
  return { root: realFolder(root), reach: 'tree', targets: unique([...said, ...written, ...outputs].flatMap(followed)), opaque: true }
}

/** A whole folder, with no call that would say more. */
export function folderScope(folder: string): CallScope {
  return { root: realFolder(resolve(folder)), reach: 'tree', targets: [], opaque: false }
}

/** `/`, a home folder, a drive: nobody means all of it, and nobody could keep it. */
export function isTooWide(folder: string): boolean {
  const { root } = parse(folder)
  return folder === root || folder === resolve(homedir()) || resolve(homedir()).startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The highest part of a path that does not exist yet: removing it takes everything back. */
export function firstMissing(path: string): string {
  let missing = path
  while (!exists(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing)
  return missing
}

/** The path without links above it; its own name stays, link or not. */
function real(path: string): string {
  const above = dirname(path)
  if (above === path) return path
  return join(existsSync(above) ? realpathSync(above) : real(above), basename(path))
}

/** A link and what it leads to: a tool may write through it. */
function followed(path: string): string[] {
  if (!statsOf(path)?.isSymbolicLink()) return [path]
  return existsSync(path) ? [path, realpathSync(path)] : [path]
}

function realFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder
}

function exists(path: string): boolean {
  return statsOf(path) !== null
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)]
}
