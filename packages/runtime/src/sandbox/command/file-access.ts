// What a command can access in the file system, for every backend.

import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandSpec } from '../../call/commands.ts'
import type { CallScope } from '../../call/scope.ts'
import { isInside } from '../../path/inside.ts'
import { secretPaths } from './secret-paths.ts'

export interface FileAccess {
  /** Folders it may write to. */
  readonly writable: readonly string[]
  /** Paths in those that it cannot change. */
  readonly frozen: readonly string[]
  /** Paths that it cannot see. */
  readonly hidden: readonly string[]
  /** Paths in the hidden ones that it can see nevertheless. */
  readonly shown: readonly string[]
}

type AccessPlace = Pick<CallScope, 'workspace' | 'temp' | 'home' | 'policy' | 'writable' | 'readable' | 'sandbox_mode'>

/** The machine as a command finds it. */
export interface HostFolders {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Paths that no command can change. */
  readonly frozen: readonly string[]
}

export function fileAccessOf(scope: AccessPlace, { argv }: Pick<CommandSpec, 'argv'>, { environment, frozen }: HostFolders): FileAccess {
  const workspace = real(scope.workspace)
  const home = real(scope.home)
  const temp = real(scope.temp)
  const strict = scope.sandbox_mode === 'strict'
  const { roots } = scope.policy.fs_scope
  const readable = scope.readable ?? []
  const secrets = secretPaths(environment.HOME ?? homedir(), [workspace, ...roots.map((root) => resolve(workspace, root))].map(real)).map(
    real,
  )
  return {
    writable: [...claimedRoots(workspace, writableRoots(workspace, roots), scope.writable), temp],
    frozen,
    hidden: [...new Set([...(strict ? privateFolders() : []), ...secrets, home])].filter((path) => existsSync(path)),
    shown: [
      ...(strict
        ? [workspace, ...toolchain(environment.PATH ?? ''), ...argv.flatMap((word) => projectOf(word, [...secrets, home])), wrapperFolder()]
        : []),
      ...readable,
    ],
  }
}

/** The helper of the sandbox starts inside it, wherever Tandem is installed. */
function wrapperFolder(): string {
  return resolve(fileURLToPath(import.meta.resolve('@anthropic-ai/sandbox-runtime')), '..', '..')
}

/** The part of the workspace that is in the roots of the policy. Roots outside the workspace stay read-only. */
export function writableRoots(workspace: string, roots: readonly string[]): string[] {
  const found = roots.flatMap((root) => {
    const folder = real(resolve(workspace, root))
    if (isInside(workspace, folder)) return [workspace]
    return isInside(folder, workspace) && existsSync(folder) ? [folder] : []
  })
  return [...new Set(found)]
}

/** What is in both: the roots of the policy, and the paths that a member of a team may write. */
function claimedRoots(workspace: string, roots: readonly string[], claims: readonly string[] | undefined): readonly string[] {
  if (claims === undefined) return roots
  // A claim that leads through a link by now could be the claim of somebody else.
  const claimed = writableRoots(
    workspace,
    claims.filter((claim) => real(resolve(workspace, claim)) === resolve(workspace, claim)),
  )
  const common = roots.flatMap((root) =>
    claimed.flatMap((claim) => (isInside(claim, root) ? [claim] : isInside(root, claim) ? [root] : [])),
  )
  return [...new Set(common)]
}

/** Folders with personal files. */
function privateFolders(): string[] {
  return [...new Set([homedir(), '/home', '/root', '/Users', '/mnt', '/media', '/srv', '/tmp', '/var/tmp'])].map(real)
}

/**
 * A command may read a program that it names by its full path, with the project it belongs to: a program without its modules does not
 * start. Paths that are always hidden stay hidden.
 */
function projectOf(word: string, closed: readonly string[]): string[] {
  if (!isAbsolute(word) || !existsSync(word)) return []
  const file = real(word)
  const wide = privateFolders()
  if (!wide.some((folder) => isInside(file, folder)) || closed.some((folder) => isInside(file, folder))) return []
  const isOpen = (path: string) => ![...wide, ...closed].some((one) => isInside(one, path))
  if (!isOpen(file)) return []
  const isProject = (folder: string) => ['node_modules', '.git'].some((sign) => existsSync(join(folder, sign)))
  return [foldersAbove(file).findLast((folder) => isOpen(folder) && isProject(folder)) ?? file]
}

/** From the nearest up to the root. */
function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [] : [above, ...foldersAbove(above)]
}

/** For programs on PATH inside a home folder (pyenv, nvm, cargo): the folder they are installed in, but never the home folder itself. */
function toolchain(path: string): string[] {
  const programs = [...path.split(':'), dirname(process.execPath)].filter((folder) => isAbsolute(folder) && existsSync(folder)).map(real)
  const homes = privateFolders()
  const wide = (folder: string) => homes.includes(folder) || folder === '/' || basename(folder) === '.local'
  const installed = programs.map((folder) => {
    const above = dirname(folder)
    return ['bin', 'shims', 'sbin'].includes(basename(folder)) && !wide(above) ? above : folder
  })
  return [...new Set(installed)].filter((folder) => homes.some((one) => isInside(folder, one)) && !wide(folder))
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It does not exist: compare it by its name.
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path
  }
}
