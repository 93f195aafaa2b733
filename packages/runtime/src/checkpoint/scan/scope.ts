// What a call may change on disk, before anything is scanned.
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, parse, resolve } from 'node:path'
import type { Effect } from '../../call/tool.ts'
import { isInside } from '../../path/inside.ts'
import { commandTargets, outputArguments } from '../command/command-targets.ts'
import { statsOf } from '../content/stats.ts'

export interface PlannedCall {
  readonly call_id: string
  readonly tool: string
  readonly effects: readonly Effect[]
  /** The real path of the folder the run works in. */
  readonly workspace: string
  /** The folder of the script, for `script.run` with a file. It is saved in addition to the folder the script runs in. */
  readonly script_folder?: string
  /** The operating system lets the command write only these paths of the workspace: other members of a team may write the others. */
  readonly writable?: readonly string[]
  /** Arguments of a script in any language: they may name output files. */
  readonly args?: readonly string[]
  /** The source of a script in a shell language. */
  readonly shell_source?: string
}

export interface ChangeScope {
  readonly root: string
  /** `tree`: everything below the root may change. `paths`: only the targets, and what is below them. */
  readonly reach: 'tree' | 'paths'
  readonly targets: readonly string[]
  /** Further folders in which everything may change; only with `tree`. */
  readonly folders: readonly string[]
  /** Words of the command for paths that are known only when it runs. */
  readonly computed: readonly string[]
  /** A command whose effects cannot all be known from outside. */
  readonly opaque: boolean
}

/** Null for a call that changes nothing on disk. */
export function scopeOf(call: PlannedCall): ChangeScope | null {
  const within = (path: string) => real(isAbsolute(path) ? resolve(path) : resolve(call.workspace, path))
  const written = call.effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [within(effect.path)] : []))
  const command = call.effects.find((effect) => effect.does === 'execute')
  if (!command) {
    const targets = unique(written.flatMap(followed))
    if (targets.length === 0) return null
    return { root: real(resolve(call.workspace)), reach: 'paths', targets, folders: [], computed: [], opaque: false }
  }
  const cwd = within(command.cwd)
  const root = realFolder(cwd)
  const script = call.script_folder === undefined ? root : realFolder(within(call.script_folder))
  const source = command.language === 'shell' ? command.command : call.shell_source
  const said = source === undefined ? { targets: [], computed: [] } : commandTargets(source, cwd)
  const given = outputArguments(call.args ?? [], cwd)
  const named = [...said.targets, ...given.targets].map(real)
  if (call.writable) {
    const targets = unique(call.writable.map(within).flatMap(followed))
    return { root: real(resolve(call.workspace)), reach: 'paths', targets, folders: [], computed: [], opaque: true }
  }
  return {
    root,
    reach: 'tree',
    targets: unique([...named, ...written].flatMap(followed)),
    folders: isInside(script, root) ? [] : [script],
    computed: said.computed,
    opaque: true,
  }
}

/** A whole folder, without a call that would narrow it down. */
export function folderScope(folder: string): ChangeScope {
  return { root: realFolder(resolve(folder)), reach: 'tree', targets: [], folders: [], computed: [], opaque: false }
}

/** `/`, a home folder, a drive: too large to save, and never meant as a whole. */
export function isTooWide(folder: string): boolean {
  const { root } = parse(folder)
  return folder === root || folder === resolve(homedir()) || resolve(homedir()).startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The topmost part of a path that does not exist yet: removing it undoes everything. */
export function firstMissing(path: string): string {
  let missing = path
  while (!exists(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing)
  return missing
}

/** The path without links above it; its own name is kept, link or not. */
function real(path: string): string {
  const above = dirname(path)
  if (above === path) return path
  return join(existsSync(above) ? realpathSync(above) : real(above), basename(path))
}

/** A link and its target: a tool may write through it. */
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
