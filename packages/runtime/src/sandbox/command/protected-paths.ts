// The paths in a workspace that commands may read but not change, because they run when the folder is opened, git is called or an agent is
// started. The names are passed in; what git follows is found in every repository. Users can change these files, and `fs.write` with approval.
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { grouped } from '@tandem/contract/text'
import { isInside } from '../../path/inside.ts'
import { realPath } from '../../path/real-path.ts'
import { barePathsOf, gitPathsOf } from './git-paths.ts'
import type { Placeholder } from './placeholders.ts'
import { mostFolders, repositoriesIn } from './repositories.ts'

export interface Protection {
  readonly frozen: readonly string[]
  readonly missing: readonly Placeholder[]
  /** What a command may create, and is reported for: new repositories and unfinished rebases, whose list of steps can contain commands. */
  readonly watched: ReadonlyMap<string, string>
  /** Folders that cannot be listed, which are frozen as well: they may contain repositories. */
  readonly closed: readonly string[]
  /** Where frozen paths lead. With a link on the way, this place is frozen; the link itself cannot be, so replacing it is reported. */
  readonly places: ReadonlyMap<string, string>
}

/** Each name is a mount, and bubblewrap supports about three thousand. In further repositories the whole `.git` is frozen. */
const mostRepositories = 50

export function protectionOf(workspace: string, cwd: string, names: readonly string[]): Protection {
  const { folders, bare, closed } = repositoriesIn(workspace)
  const steps = way(workspace, cwd)
  const named = [...new Set([...steps, ...folders])].flatMap((folder) =>
    names.map((name) => join(folder, name)).filter((path) => existsSync(path)),
  )
  const first = [...folders].sort((one, other) => Number(steps.includes(other)) - Number(steps.includes(one)))
  const inGit = [
    ...first.slice(0, mostRepositories).map((folder) => gitPathsOf(folder, workspace)),
    ...bare.slice(0, mostRepositories).map((git) => barePathsOf(git, workspace)),
  ]
  const whole = [...first.slice(mostRepositories).map((folder) => join(folder, '.git')), ...bare.slice(mostRepositories)]
  const frozen = [...named, ...whole, ...inGit.flatMap((paths) => paths.frozen)]
  return {
    frozen: outermost(frozen),
    missing: inGit.flatMap(({ missing }) => missing).filter(({ path }) => !whole.some((one) => isInside(path, one))),
    watched: new Map([...folders.flatMap(watchedIn), ...bare.map((git): [string, string] => [git, 'bare'])]),
    closed,
    places: new Map(frozen.map((path) => [path, realPath(path)])),
  }
}

/** What the search for repositories did not reach. */
export function unprotectedIn(workspace: string): string[] {
  if (repositoriesIn(workspace).complete) return []
  return [`There are more than ${grouped(mostFolders)} folders here. Git repositories in the others are not protected from this command.`]
}

/** What a command created or replaced although other programs run it: the sandbox could not prevent it. */
export function newProtectedPaths(before: Protection, after: Protection): string[] {
  const known = new Set([...before.frozen, ...before.missing.map(({ path }) => path)])
  const changed = [...after.watched].filter(([path, mark]) => before.watched.get(path) !== mark).map(([path]) => path)
  const led = [...after.places].filter(([path, place]) => (before.places.get(path) ?? place) !== place).map(([path]) => path)
  const made = after.frozen.filter((path) => !known.has(path) && !before.frozen.some((one) => isInside(path, one)))
  return outermost([...changed, ...led, ...made])
}

/** Without paths that are inside another one. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)]
  return all.filter((path) => !all.some((other) => other !== path && isInside(path, other)))
}

function watchedIn(folder: string): [string, string][] {
  const git = join(folder, '.git')
  const rebases = ['rebase-merge', 'rebase-apply'].map((name) => join(git, name)).filter((path) => existsSync(path))
  return [[git, markOf(git)], ...rebases.map((path): [string, string] => [path, 'rebase'])]
}

/** Distinguishes a `.git` from another one that replaced it. */
function markOf(git: string): string {
  const found = lstatSync(git, { throwIfNoEntry: false })
  if (!found) return ''
  return found.isSymbolicLink() ? `link ${readlinkSync(git)}` : found.isDirectory() ? `folder ${found.ino}` : 'file'
}

function way(workspace: string, cwd: string): string[] {
  const steps = [workspace]
  if (!isInside(cwd, workspace)) return steps
  for (let folder = cwd; folder !== workspace && folder !== dirname(folder); folder = dirname(folder)) steps.push(folder)
  return steps
}
