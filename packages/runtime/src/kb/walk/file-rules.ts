// Which paths of a folder belong to its source: ignore files, patterns of the user, secrets, version control.
import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside, relativeInside } from '../../path/inside.ts'
import type { AccessRule } from '../../sandbox/files/access-rule.ts'
import { compileGlob } from '../../sandbox/files/glob.ts'
import { type IgnoreRules, readIgnoreRules } from '../../sandbox/files/ignore-rules.ts'
import { isInSecretFolder, mayHoldSecrets } from '../rule/secret-file.ts'
import { readFile } from './read-file.ts'

export interface FileRulesOptions {
  readonly root: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Folders and files with credentials. */
  readonly secret_paths: readonly string[]
  /** What the agent that added the source may read; null if a person added it. */
  readonly access: AccessRule | null
}

export interface FileRules {
  /** Called for each folder before its entries. */
  entered(folder: string, names: readonly string[]): void
  /** Not part of the source, and not worth mentioning. */
  skips(path: string, isFolder: boolean): boolean
  isSecret(path: string): boolean
}

const ignoreFiles = ['.gitignore', '.ignore']
/** Folders that are never part of a source. */
export const neverEntered: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])
const longestIgnoreFile = 64 * 1_024

export function fileRules({ root, include, exclude, secret_paths, access }: FileRulesOptions): FileRules {
  const ignores = new Map<string, readonly IgnoreRules[]>()
  const secretPlaces = new Map<string, boolean>()
  const wanted = include.flatMap((pattern) => compileGlob(pattern) ?? [])
  const unwanted = exclude.flatMap((pattern) => compileGlob(pattern) ?? [])
  for (const folder of repositoryAbove(root)) readRules(folder, ignoreFiles)

  function readRules(folder: string, names: readonly string[]): void {
    const found = ignoreFiles
      .filter((name) => names.includes(name))
      .flatMap((name) => textOf(join(folder, name)) ?? [])
      .map((text) => readIgnoreRules(text, compileGlob))
    if (found.length > 0) ignores.set(folder, found)
  }

  /** The deepest rule decides. */
  function isIgnored(path: string, isFolder: boolean): boolean {
    if (ignores.size === 0) return false
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const way = relativeInside(path, folder)?.replaceAll('\\', '/') ?? ''
      for (const rules of ignores.get(folder)?.toReversed() ?? []) {
        const verdict = rules.ignores(way, isFolder ? 'directory' : 'file')
        if (verdict !== undefined) return verdict
      }
      if (dirname(folder) === folder) return false
    }
  }

  function isUnwanted(path: string, isFolder: boolean): boolean {
    // The usual case, for each file of a walk.
    if (wanted.length + unwanted.length === 0) return false
    const way = (relativeInside(path, root) ?? '').replaceAll('\\', '/')
    if (unwanted.some((glob) => glob.matches(way))) return true
    return wanted.length > 0 && !wanted.some((glob) => glob.matches(way) || (isFolder && glob.mayMatchBelow(way)))
  }

  /** Judged once for all files in it. */
  function isSecretPlace(folder: string): boolean {
    const known = secretPlaces.get(folder)
    if (known !== undefined) return known
    const isSecret = isInSecretFolder(join(folder, 'x')) || secret_paths.some((place) => isInside(folder, place))
    secretPlaces.set(folder, isSecret)
    return isSecret
  }

  return {
    entered: (folder, names) => readRules(folder, names),
    skips(path, isFolder) {
      if (isFolder && neverEntered.has(basename(path))) return true
      if (isUnwanted(path, isFolder)) return true
      if (access && access.judge(path, 'read', isFolder ? 'directory' : 'file').is === 'closed') return true
      return isIgnored(path, isFolder)
    },
    isSecret: (path) => mayHoldSecrets(basename(path)) || isSecretPlace(dirname(path)) || secret_paths.includes(path),
  }
}

/** The folders above, up to the root of the repository; none if it is not in one. */
function repositoryAbove(root: string): readonly string[] {
  if (isThere(join(root, '.git'))) return []
  const above: string[] = []
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    above.push(folder)
    if (isThere(join(folder, '.git'))) return above
  }
  return []
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** A link, a pipe or a device is not an ignore file. Without permission to read it, its rules are unknown. */
function textOf(path: string): string | null {
  const read = readFile(path, { largest: longestIgnoreFile })
  return 'bytes' in read ? Buffer.from(read.bytes).toString('utf8') : null
}
