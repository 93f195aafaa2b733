// Resolves a path: keeps its folder open, follows its links one by one, and checks the real path before the caller learns anything about it.
import type { BigIntStats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve, win32 } from 'node:path'
import { Refused } from '../../call/failure.ts'
import type { CallScope } from '../../call/scope.ts'
import { isInside } from '../../path/inside.ts'
import { type Access, type AccessRule, type AccessScope, accessRule } from './access-rule.ts'
import { asFileFailure, displayPath, errorCode, fileFailure } from './file-failure.ts'
import type { DirectoryOpener, OpenDirectory } from './open-directory.ts'

/** One entry of a directory that is kept open. */
export interface ResolvedEntry {
  readonly anchor: OpenDirectory
  readonly name: string
  /** The real path. */
  readonly real: string
  /** The entry itself, not the target of a link; `null` if nothing is there. */
  readonly found: BigIntStats | null
}

interface Way {
  readonly access: Access
  /** `stop` ends at a link itself, as for deleting and moving; `follow` ends at its target. */
  readonly links: 'follow' | 'stop'
  /** What will be created if nothing is there yet. */
  readonly makes?: 'file' | 'directory'
}

export interface PathResolver {
  readonly walls: AccessScope
  readonly anchoring: DirectoryOpener
  /** Opens the path, and closes it when `use` has ended. Errors have a code and the path as the caller gave it. */
  to<T>(path: string, way: Way, use: (spot: ResolvedEntry) => Promise<T>): Promise<T>
  /** Absolute and with a valid spelling; links are not resolved. */
  read(path: string, access: Access): string
  /** Throws `Refused` unless the call may access the real path. */
  demand(real: string, access: Access, kind: 'file' | 'directory'): void
  permits(real: string, access: Access, kind: 'file' | 'directory'): boolean
  /** Throws `Refused` if other programs run this file and the write was not approved. */
  demandSeen(real: string): void
}

const mostLinks = 40

export function openPathResolver(scope: CallScope, walls: AccessScope, anchoring: DirectoryOpener): PathResolver {
  const { judge } = accessRule(walls)
  const warned = new Set<string>()

  function demand(real: string, access: Access, kind: 'file' | 'directory'): void {
    const verdict = judge(real, access, kind)
    if (verdict.is === 'open') return
    if (verdict.is === 'closed') {
      scope.report({ attempted: access, resource: real, blocked: true })
      throw refusal(scope, walls, real, access, verdict.why)
    }
    if (!warned.has(real)) scope.report({ attempted: access, resource: real, blocked: false })
    warned.add(real)
  }

  function requireApproved(real: string): void {
    if (isInside(real, walls.temp) || scope.isUnapprovedProtectedPath?.(real) !== true) return
    scope.report({ attempted: 'write', resource: real, blocked: true })
    throw new Refused('power_unseen', `Other programs read or run "${displayPath(real)}", and this change was not approved.`, {
      subject: displayPath(real),
      remedy: 'Use this path itself instead of a link to it, so that the user is asked for approval.',
      blocked_by: 'sandbox',
      attempted: 'write',
    })
  }

  async function hold(directory: string, path: string, access: Access): Promise<OpenDirectory> {
    try {
      return await anchoring(directory)
    } catch (error) {
      // The kind of error must not reveal what exists outside.
      demand(path, access, 'directory')
      throw error
    }
  }

  async function reach(path: string, { access, links, makes }: Way): Promise<ResolvedEntry> {
    let at = path
    for (let followed = 0; followed <= mostLinks; followed++) {
      const anchor = await hold(dirname(at), at, access)
      try {
        const name = basename(at)
        const real = join(anchor.real, name)
        const found = await lstatOrNull(anchor.at(name))
        if (found?.isSymbolicLink() && links === 'follow') {
          at = resolve(anchor.real, await readlink(anchor.at(name)))
          await anchor.close()
          continue
        }
        demand(real, access, found?.isDirectory() || (!found && makes === 'directory') ? 'directory' : 'file')
        if (!found && followed > 0) throw fileFailure('broken_link', path)
        return { anchor, name, real, found }
      } catch (error) {
        await anchor.close()
        throw error
      }
    }
    throw Object.assign(new Error(`ELOOP: ${path}`), { code: 'ELOOP' })
  }

  function read(path: string, access: Access): string {
    try {
      return readPath(path, walls, access)
    } catch (error) {
      if (error instanceof Refused) scope.report({ attempted: access, resource: displayPath(path), blocked: true })
      throw error
    }
  }

  return {
    walls,
    anchoring,
    read,
    demand,
    demandSeen: requireApproved,
    permits: (real, access, kind) => judge(real, access, kind).is !== 'closed',
    async to(path, way, use) {
      const absolute = read(path, way.access)
      try {
        const spot = await reach(absolute, way)
        try {
          return await use(spot)
        } finally {
          await spot.anchor.close()
        }
      } catch (error) {
        throw asFileFailure(error, path)
      }
    },
  }
}

export async function lstatOrNull(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
}

export function notARegularFile(path: string, attempted: Access): Refused {
  return new Refused('not_a_regular_file', `"${displayPath(path)}" is a device, a pipe or a socket.`, {
    subject: displayPath(path),
    remedy: 'Use a regular file or a folder.',
    blocked_by: 'sandbox',
    attempted,
  })
}

type Why = Extract<ReturnType<AccessRule['judge']>, { is: 'closed' }>['why']

function refusal(scope: CallScope, walls: AccessScope, real: string, attempted: Access, why: Why): Refused {
  const subject = displayPath(real)
  const policy = { subject, blocked_by: 'policy', attempted } as const
  const sandbox = { subject, blocked_by: 'sandbox', attempted } as const
  switch (why) {
    case 'kernel':
      return kernelPath(real, attempted)
    case 'home':
      return new Refused('path_forbidden', `"${subject}" is in Tandem's own folder, which tools cannot access.`, {
        ...sandbox,
        remedy: 'Use a path in the workspace. Settings can be changed only by the user.',
      })
    case 'roots':
      return new Refused('path_out_of_scope', `"${subject}" is outside the folders that ${scope.tool} may ${attempted}.`, {
        ...policy,
        remedy: `Use a path under ${walls.roots.map(displayPath).join(', ') || 'a root'}, or ask the user to add the folder to the file scope of ${scope.tool}.`,
      })
    case 'globs':
      return new Refused('path_out_of_scope', `"${subject}" matches none of the patterns that ${scope.tool} may ${attempted}.`, {
        ...policy,
        remedy: `Allowed: ${walls.globs.map(displayPath).slice(0, 5).join(', ') || 'no files'}. Ask the user to change the patterns in the file scope of ${scope.tool}.`,
      })
    case 'claims':
      return new Refused('path_not_claimed', `"${subject}" is not among the paths that this member of a team may write.`, {
        ...policy,
        remedy: `Write only below ${walls.writable?.map(displayPath).join(', ') || 'nothing: only read'}, or tell the run that started you.`,
      })
    case 'workspace':
      return new Refused(
        'outside_workspace',
        `"${subject}" is outside the workspace, and sandbox mode ${walls.sandbox_mode} allows writing only inside.`,
        {
          ...sandbox,
          remedy: `Write under ${displayPath(walls.workspace)}, or ask the user to run in sandbox mode trusted.`,
        },
      )
  }
}

export interface PathBase {
  readonly workspace: string
  readonly platform: NodeJS.Platform
}

/** The absolute path for `text`, with links not yet resolved. Spellings that other programs interpret differently are refused. */
export function readPath(text: string, { workspace, platform }: PathBase, attempted: 'read' | 'write'): string {
  const refuse = (message: string, remedy: string): never => {
    throw new Refused('invalid_path', message, { subject: displayPath(text), remedy, blocked_by: 'sandbox', attempted })
  }
  const path = platform === 'win32' ? win32 : posix
  if (text === '') refuse('The path is empty.', 'Give the path of a file or folder; "." is the workspace.')
  if (text.includes('\0')) refuse('The path contains a NUL character.', 'Remove the NUL character.')
  if (!text.isWellFormed()) refuse('The path is not well-formed Unicode.', 'Use a path in valid Unicode.')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    refuse(`"${displayPath(text)}" is a URL, not a path.`, 'Give the plain path, without file:// or another scheme.')
  }
  if (/^~(?:$|[\\/])/.test(text)) {
    refuse('"~" is not expanded here.', 'Give the full path, or one relative to the workspace. For a file of that name, use "./~".')
  }
  if (platform === 'win32') {
    const odd = oddOnWindows(text)
    if (odd) refuse(`"${displayPath(text)}" ${odd}.`, 'Use a plain file name.')
  }
  const absolute = path.resolve(workspace, text)
  if (platform === 'linux' && /^\/(?:proc|sys)(?:\/|$)/.test(absolute)) throw kernelPath(text, attempted)
  return absolute
}

/** Files of the kernel give access to processes and devices, regardless of the policy. */
function kernelPath(path: string, attempted: 'read' | 'write'): Refused {
  return new Refused('path_forbidden', `"${displayPath(path)}" belongs to the kernel and cannot be accessed.`, {
    subject: displayPath(path),
    remedy: 'Use the real path of the file.',
    blocked_by: 'sandbox',
    attempted,
  })
}

/** Windows removes dots and spaces at the end of names, opens streams after a colon, and reserves device names. */
function oddOnWindows(text: string): string | null {
  if (/^[\\/]{2}/.test(text)) return 'is a network or device path'
  for (const segment of text.replace(/^[a-z]:/i, '').split(/[\\/]/)) {
    if (segment === '.' || segment === '..') continue
    if (/[. ]$/.test(segment)) return 'has a name that ends in a dot or a space'
    if (segment.includes(':')) return 'names a stream of a file'
    if (/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment)) return 'is the name of a device'
  }
  return null
}
