// What a call may access, decided only on real paths. The folders are resolved once; the decision is pure.

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Glob } from '../../call/files.ts'
import type { CallScope } from '../../call/scope.ts'
import { isInside } from '../../path/inside.ts'
import { compileGlob } from './glob.ts'

export type Access = 'read' | 'write'

/** Every folder is a real path. */
export interface AccessScope {
  readonly workspace: string
  readonly temp: string
  readonly home: string
  readonly roots: readonly string[]
  readonly globs: readonly string[]
  /** The only paths that may be written; absent if all may. */
  readonly writable?: readonly string[]
  /** See `CallScope`. */
  readonly readable?: readonly string[]
  readonly sandbox_mode: SandboxMode
  readonly platform: NodeJS.Platform
}

type Verdict =
  | { readonly is: 'open' }
  /** `trusted` allows it and reports it. */
  | { readonly is: 'open with a warning' }
  | { readonly is: 'closed'; readonly why: 'home' | 'kernel' | 'roots' | 'globs' | 'workspace' | 'claims' }

export interface AccessRule {
  /** A `directory` is also open if something below it can match the globs. */
  judge(real: string, access: Access, kind: 'file' | 'directory'): Verdict
}

export function accessRule(walls: AccessScope): AccessRule {
  const excludes = (glob: string) => glob.startsWith('!')
  // The common case, checked for each file of a walk.
  const allFiles = walls.globs.includes('**') && !walls.globs.some(excludes)
  const patterns = allFiles ? [] : walls.globs
  const wanted = patterns.filter((glob) => !excludes(glob)).flatMap((glob) => compileGlob(glob) ?? [])
  const unwanted = patterns.filter(excludes).map((glob) => compileGlob(glob.slice(1)) ?? everything)

  function inGlobs(root: string, real: string, kind: 'file' | 'directory'): boolean {
    if (allFiles) return true
    const path = relative(root, real).replaceAll(sep, '/')
    if (unwanted.some((glob) => glob.matches(path))) return false
    return wanted.some((glob) => glob.matches(path) || (kind === 'directory' && glob.mayMatchBelow(path)))
  }

  return {
    judge(real, access, kind) {
      if (access === 'read' && walls.readable?.some((folder) => isInside(real, folder))) return { is: 'open' }
      if (isHome(walls, real)) return { is: 'closed', why: 'home' }
      if (isKernel(walls, real)) return { is: 'closed', why: 'kernel' }
      // The run's temp folder is not user data: output that was too long for a card is read from there.
      if (isInside(real, walls.temp)) return { is: 'open' }
      const below = walls.roots.filter((root) => isInside(real, root))
      if (below.length === 0) return { is: 'closed', why: 'roots' }
      if (!below.some((root) => inGlobs(root, real, kind))) return { is: 'closed', why: 'globs' }
      if (access === 'read') return { is: 'open' }
      if (walls.writable && !walls.writable.some((path) => isInside(real, path))) return { is: 'closed', why: 'claims' }
      if (isInside(real, walls.workspace)) return { is: 'open' }
      return walls.sandbox_mode === 'trusted' ? { is: 'open with a warning' } : { is: 'closed', why: 'workspace' }
    },
  }
}

/** A pattern that is too complex to evaluate excludes everything. */
const everything: Glob = { matches: () => true, mayMatchBelow: () => true }

/** A workspace or temp folder may be inside Tandem's own folder; nothing else in it is open. */
function isHome({ home, workspace, temp }: AccessScope, real: string): boolean {
  if (!isInside(real, home)) return false
  return ![workspace, temp].some((folder) => folder !== home && isInside(folder, home) && isInside(real, folder))
}

function isKernel({ platform }: AccessScope, real: string): boolean {
  return platform === 'linux' && (isInside(real, '/proc') || isInside(real, '/sys'))
}

export async function resolveScope(scope: CallScope, platform: NodeJS.Platform): Promise<AccessScope> {
  const workspace = await real(scope.workspace)
  const roots = await Promise.all(scope.policy.fs_scope.roots.map((root) => realRoot(workspace, root)))
  return {
    workspace,
    temp: await real(scope.temp),
    home: await real(scope.home),
    roots: roots.filter((root) => root !== null),
    globs: scope.policy.fs_scope.globs,
    ...(scope.writable === undefined ? {} : { writable: await realClaims(workspace, scope.writable) }),
    ...(scope.readable === undefined ? {} : { readable: scope.readable }),
    sandbox_mode: scope.sandbox_mode,
    platform,
  }
}

/** Claims have no links in them: one that leads through a link by now could be the claim of somebody else. */
async function realClaims(workspace: string, claims: readonly string[]): Promise<readonly string[]> {
  const named = claims.map((claim) => resolve(workspace, claim))
  const found = await Promise.all(named.map(real))
  return found.filter((path, index) => path === named[index])
}

/** A root inside the workspace that is a link out of it is ignored: any program that can write there could have created the link. */
async function realRoot(workspace: string, root: string): Promise<string | null> {
  const named = isAbsolute(root) ? resolve(root) : resolve(workspace, root)
  const found = await real(named)
  return isInside(named, workspace) && !isInside(found, workspace) ? null : found
}

/** A path that does not exist yet is used as it is. */
async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}
