// The files that git executes or follows in a repository. A command that could write one of these would run code with the user's next `git`.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isInside } from '../../path/inside.ts'
import { realPath } from '../../path/real-path.ts'
import { commonGitConfigs, gitConfigPath, readGitConfig } from './git-config.ts'
import type { Placeholder } from './placeholders.ts'

export interface GitPaths {
  /** Existing paths that must not change. */
  readonly frozen: readonly string[]
  /** Missing paths that a command must not create. Only an existing path can be mounted over, so these are created first. */
  readonly missing: readonly Placeholder[]
}

/**
 * A repository whose common directory is itself works as if none were set. This spelling is one that git does not write, so that a file left
 * behind by a crash can be recognized.
 */
const itself = './././.'

/** The placeholder for a missing name: the text of a file, or an empty folder. A name without one may be missing. */
type PlaceholderContent = { readonly text: string } | 'folder' | null

interface GitOptionRow {
  readonly name: string
  readonly placeholder: PlaceholderContent
}

/** In a git directory. The objects, refs, logs, the index, HEAD and the state of merges and rebases stay writable, because git needs them. */
const followed: readonly GitOptionRow[] = [
  { name: 'config', placeholder: { text: '' } },
  { name: 'commondir', placeholder: { text: itself } },
  { name: 'hooks', placeholder: 'folder' },
  // Attributes select filters; grafts and excludes change what git sees.
  { name: 'info', placeholder: 'folder' },
  // A git directory placed here is used when its submodule is initialized.
  { name: 'modules', placeholder: 'folder' },
  { name: 'objects/info/alternates', placeholder: { text: '' } },
  // Where git stored remotes before it had a config.
  { name: 'branches', placeholder: null },
  { name: 'remotes', placeholder: null },
]

/** In the directory of a linked worktree. */
const followedInWorktree: readonly GitOptionRow[] = [
  { name: 'commondir', placeholder: null },
  { name: 'gitdir', placeholder: null },
]

/** For the repository whose `.git` is in the folder; `.git` may be a directory, a file that refers to one, or a link to one. */
export function gitPathsOf(folder: string, workspace: string): GitPaths {
  const entry = join(folder, '.git')
  const found = lstatSync(entry, { throwIfNoEntry: false })
  if (!found) return nothing
  const named = /^gitdir: (.+?)[\r\n]*$/.exec(found.isFile() ? textOf(entry) : '')?.[1]
  const git = found.isDirectory()
    ? entry
    : found.isFile()
      ? named === undefined
        ? null
        : realPath(resolve(folder, named))
      : realPath(entry)
  const below = git === null ? nothing : merged([inGitDirectory(git, workspace), namedInConfig(git, folder, workspace)])
  return found.isFile() ? merged([{ frozen: [entry], missing: [] }, below]) : below
}

/** For a repository without a working tree. */
export function barePathsOf(git: string, workspace: string): GitPaths {
  return merged([inGitDirectory(git, workspace), namedInConfig(git, git, workspace)])
}

function inGitDirectory(git: string, workspace: string): GitPaths {
  // Paths outside cannot be written anyway.
  if (!isInside(git, workspace) || !isDirectory(git)) return nothing
  const shared = sharedDirectory(git)
  if (shared !== null) {
    const own = rowsIn(git, [...followedInWorktree, worktreeConfig(shared)])
    return shared === git ? own : merged([own, inGitDirectory(shared, workspace)])
  }
  const worktrees = foldersIn(join(git, 'worktrees')).map((one) => rowsIn(one, [...followedInWorktree, worktreeConfig(git)]))
  return merged([rowsIn(git, [...followed, worktreeConfig(git)]), ...worktrees])
}

/** The common directory that the git directory refers to, if it is a linked worktree. */
function sharedDirectory(git: string): string | null {
  const common = textOf(join(git, 'commondir')).trim()
  return common === '' || common === itself ? null : realPath(resolve(git, common))
}

function rowsIn(git: string, rows: readonly GitOptionRow[]): GitPaths {
  const frozen: string[] = []
  const missing: Placeholder[] = []
  for (const { name, placeholder } of rows) {
    const path = join(git, name)
    if (existsSync(path) && !(name === 'commondir' && textOf(path) === itself)) frozen.push(path)
    else if (placeholder === 'folder') missing.push({ path, text: null })
    else if (placeholder) missing.push({ path, text: placeholder.text })
  }
  return { frozen, missing }
}

/** Git reads it only if the config enables it, and a command cannot change the config. */
function worktreeConfig(git: string): GitOptionRow {
  return { name: 'config.worktree', placeholder: /worktreeconfig/i.test(textOf(join(git, 'config'))) ? { text: '' } : null }
}

/**
 * Hooks and further config files that the configuration refers to, in the workspace. The repository itself may be outside: its hooks can be
 * in a linked worktree inside.
 */
function namedInConfig(git: string, folder: string, workspace: string): GitPaths {
  const shared = sharedDirectory(git) ?? git
  const own = [join(shared, 'config'), join(shared, 'config.worktree'), join(git, 'config.worktree')]
  const { entries, included } = readGitConfig([...own, ...commonGitConfigs()])
  const valuesOf = (wanted: string) => entries.flatMap(({ section, name, value }) => (`${section}.${name}` === wanted ? [value] : []))
  const main = basename(shared) === '.git' ? dirname(shared) : shared
  const trees = new Set([folder, main, ...valuesOf('core.worktree').map((path) => resolve(git, path))])
  const hooks = valuesOf('core.hookspath').flatMap((path) => [...trees].map((tree) => gitConfigPath(path, tree)))
  return merged([placesOf(hooks, null, workspace), placesOf(included, '', workspace)])
}

function placesOf(paths: readonly string[], text: string | null, workspace: string): GitPaths {
  const all = [...new Set(paths)]
  const isOurs = (path: string) => isInside(path, workspace)
  return {
    frozen: all.filter((path) => isOurs(path) && existsSync(path)),
    // A placeholder is not created through a link.
    missing: all
      .filter((path) => !existsSync(path))
      .map(realPath)
      .filter(isOurs)
      .map((path) => ({ path, text })),
  }
}

function merged(all: readonly GitPaths[]): GitPaths {
  return { frozen: all.flatMap(({ frozen }) => frozen), missing: all.flatMap(({ missing }) => missing) }
}

const nothing: GitPaths = { frozen: [], missing: [] }

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
  } catch {
    // It does not exist.
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, or not a file: it refers to nothing.
    return ''
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
