// The real locations of the paths of a call. Resolved before the decision, so that a link cannot hide what is accessed.
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Effect } from '../call/tool.ts'
import { isInside } from '../path/inside.ts'
import { rowFor } from './shell/program-table.ts'
import type { ParsedCommand } from './shell/understanding.ts'

export interface ResolvedPath {
  /** With all links resolved; a path that does not exist yet is in its nearest existing folder. */
  readonly real: string
  /** The entry itself: the links above it are resolved, the entry itself is not, if it is a link. */
  readonly entry: string
  readonly folder: boolean
}

/** By absolute path. A path that is not in the map is where its name says. */
export type ResolvedPaths = ReadonlyMap<string, ResolvedPath>

export interface CallPaths {
  readonly effects: readonly Effect[]
  readonly workspace: string
  readonly command: ParsedCommand | null
  /** What each simple command will write or remove, by its text. */
  readonly targets?: ReadonlyMap<string, readonly string[]>
}

export async function resolvePaths(call: CallPaths): Promise<ResolvedPaths> {
  const { command, workspace } = call
  const paths = new Set([
    ...writtenPaths(call),
    ...[...(call.targets?.values() ?? [])].flat(),
    ...(command?.understood ? commandPaths(command, workspace) : []),
  ])
  const patterns = command?.understood ? patternPaths(command, workspace) : []
  return new Map(
    await Promise.all([
      ...[...paths].map(async (path) => [path, await resolvePath(path)] as const),
      ...patterns.map(async (path) => [path, await patternPlace(path, workspace)] as const),
    ]),
  )
}

export function resolvedPath(places: ResolvedPaths | undefined, path: string): ResolvedPath {
  return places?.get(path) ?? { real: path, entry: path, folder: false }
}

function writtenPaths({ effects, workspace }: CallPaths): string[] {
  return effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [resolve(workspace, effect.path)] : []))
}

function commandPaths(command: Extract<ParsedCommand, { understood: true }>, workspace: string): string[] {
  const folder = command.folder ?? workspace
  const words = command.commands.flatMap((one) => one.words.slice(1)).flatMap((word) => pathsInWord(word, folder))
  return [...command.writes, ...command.reads, ...words]
}

function patternPaths(command: Extract<ParsedCommand, { understood: true }>, workspace: string): string[] {
  const folder = command.folder ?? workspace
  const words = command.commands.flatMap(({ patterns = [] }) => patterns).flatMap((word) => pathsInWord(word, folder))
  const entered = command.commands.filter(({ words }) => rowFor(words)?.row.entersFolders === true).flatMap(({ words }) => words.slice(1))
  return [...words, ...entered.flatMap((word) => pathsInWord(word, folder)).map(inFolder)]
}

/** After `--`, a word that looks like an option is a path. */
function pathsInWord(word: string, folder: string): readonly string[] {
  const named = pathInWord(word, folder)
  const own = word.startsWith('-') && !word.includes('\0') ? [resolve(folder, word)] : []
  return named === null ? own : [named, ...own]
}

/** The pattern of everything in the folder. */
export function inFolder(path: string): string {
  return join(path, '*')
}

/** The path in a word of a command, if it is one; for an option with a value, the path in the value. */
export function pathInWord(word: string, folder: string): string | null {
  const text = word.startsWith('-') ? word.slice(word.indexOf('=') + 1) : word
  if (text === '' || text.startsWith('-') || text.includes('\0')) return null
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : resolve(folder, text)
}

export async function resolvePath(path: string): Promise<ResolvedPath> {
  const entry = join(await realOf(dirname(path)), basename(path))
  const found = await lstat(entry).catch(() => null)
  return { real: await realOf(path), entry, folder: found?.isDirectory() ?? false }
}

const mostEntries = 5_000

/** All matches of a pattern are below its fixed folder. If a link there leads out of the workspace, matches may be outside too. */
async function patternPlace(path: string, workspace: string): Promise<ResolvedPath> {
  const parts = path.split(sep)
  const first = parts.findIndex((part) => /[*?[]/.test(part))
  const base = await realOf(parts.slice(0, first).join(sep) || sep)
  let left = mostEntries
  async function wayOut(folder: string, depth: number): Promise<string | null> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      left -= 1
      if (left < 0) return dirname(workspace)
      const at = join(folder, entry.name)
      const real = entry.isSymbolicLink() ? await realOf(at) : at
      if (!isInside(real, workspace)) return real
      const deeper = depth > 1 && (entry.isDirectory() || entry.isSymbolicLink()) ? await wayOut(real, depth - 1) : null
      if (deeper !== null) return deeper
    }
    return null
  }
  const real = isInside(base, workspace) ? ((await wayOut(base, parts.length - first)) ?? base) : base
  return { real, entry: path, folder: false }
}

const mostLinks = 40

async function realOf(path: string, followed = 0): Promise<string> {
  const found = await realpath(path).catch(() => null)
  if (found !== null || path === dirname(path)) return found ?? path
  const parent = await realOf(dirname(path), followed)
  const at = join(parent, basename(path))
  // Writing through a dangling link creates its target.
  const target = followed < mostLinks ? await readlink(at).catch(() => null) : null
  return target === null ? at : realOf(resolve(parent, target), followed + 1)
}
