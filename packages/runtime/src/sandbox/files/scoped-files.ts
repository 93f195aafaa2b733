// The only access of built-in tools to the file system. It knows the scope of the call, and enforces it for every operation.

import { constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refused } from '../../call/failure.ts'
import type { ScopedFiles, TreeEntry } from '../../call/files.ts'
import type { CallScope } from '../../call/scope.ts'
import { isInside } from '../../path/inside.ts'
import { resolveScope } from './access-rule.ts'
import { fileFacts, versionOf } from './file-facts.ts'
import { asFileFailure, displayPath, errorCode, fileFailure, systemFailure } from './file-failure.ts'
import { compileGlob } from './glob.ts'
import { makeDirectories } from './make-directories.ts'
import { moveEntry } from './move.ts'
import { type DirectoryOpener, type OpenDirectory, platformOpener, withOpenDirectory } from './open-directory.ts'
import { notARegularFile, openPathResolver, type PathResolver, type ResolvedEntry } from './path-resolver.ts'
import { replaceFile } from './replace.ts'
import { removeTree, walkTree } from './tree.ts'

export function openFiles(scope: CallScope, anchoring?: DirectoryOpener): ScopedFiles {
  let opening: Promise<PathResolver> | undefined
  const passage = () => {
    opening ??= (async () => {
      const walls = await resolveScope(scope, process.platform)
      return openPathResolver(scope, walls, anchoring ?? (await platformOpener(process.platform)))
    })()
    return opening
  }
  const reading = { access: 'read', links: 'follow' } as const

  return {
    async locate(path, access) {
      return (await passage()).to(path, { access, links: 'follow' }, async ({ real }) => real)
    },

    async permits(real, access, kind) {
      return (await passage()).permits(real, access, kind)
    },

    pattern: (text) => compileGlob(text),

    async stat(path) {
      return (await passage()).to(path, reading, async (spot) => ({ real: spot.real, ...fileFacts(present(spot, path)) }))
    },

    async lstat(path) {
      return (await passage()).to(path, { access: 'read', links: 'stop' }, async (spot) => {
        const facts = fileFacts(present(spot, path))
        return { real: spot.real, ...facts, target: facts.type === 'link' ? await readlink(spot.anchor.at(spot.name)) : null }
      })
    },

    async read(path, use) {
      return (await passage()).to(path, reading, async (spot) => {
        const found = present(spot, path)
        if (found.isDirectory()) throw systemFailure('EISDIR', path)
        if (!found.isFile()) throw notARegularFile(path, 'read')
        const handle = await openStill(spot, path)
        try {
          const stats = await handle.stat({ bigint: true })
          if (!stats.isFile()) throw notARegularFile(path, 'read')
          await spot.anchor.confirm()
          // Another hard link to the file may be anywhere, and cannot be found.
          if (stats.nlink > 1n) scope.report({ attempted: 'read', resource: spot.real, blocked: false })
          return await use({ real: spot.real, handle, facts: fileFacts(stats), version: versionOf(stats) })
        } finally {
          await handle.close()
        }
      })
    },

    async *walk(path, enters) {
      const way = await passage()
      const anchor = await directory(way, path)
      try {
        const sees = (entry: TreeEntry) => way.permits(entry.real, 'read', entry.type === 'directory' ? 'directory' : 'file')
        for await (const entry of walkTree(anchor, async (below) => sees(below) && (await enters(below)))) if (sees(entry)) yield entry
      } catch (error) {
        throw asFileFailure(error, path)
      } finally {
        await anchor.close()
      }
    },

    async withDirectory(path, use) {
      return withOpenDirectory(directory(await passage(), path), (anchor) => use({ real: anchor.real, at: forChild(anchor) }))
    },

    async replace(path, bytes, { expect, createParents = false } = {}) {
      const way = await passage()
      if (createParents) await makeDirectories(way, dirname(way.read(path, 'write')), path)
      return way.to(path, { access: 'write', links: 'follow' }, async (spot) => {
        if (spot.found?.isFile() && spot.found.nlink > 1n) scope.report({ attempted: 'write', resource: spot.real, blocked: false })
        way.demandSeen(spot.real)
        await replaceFile(spot, bytes, path, expect)
        return { real: spot.real, created: spot.found === null }
      })
    },

    async move(from, to, { overwrite, createParents, signal }) {
      const way = await passage()
      return way.to(from, { access: 'write', links: 'stop' }, async (source) => {
        const moved = present(source, from)
        guardRoots(way, source.real, from)
        way.demandSeen(source.real)
        const makes = moved.isDirectory() ? 'directory' : 'file'
        if (createParents) await makeDirectories(way, dirname(way.read(to, 'write')), to)
        return way.to(to, { access: 'write', links: 'stop', makes }, async (target) => {
          guardRoots(way, target.real, to)
          way.demandSeen(target.real)
          if (moved.isDirectory()) await demandAll(way, source, target.real)
          await moveEntry(source, target, { overwrite, fromPath: from, toPath: to, signal })
          return { from: source.real, to: target.real, replaced: target.found !== null }
        })
      })
    },

    async remove(path, { recursive, signal }) {
      const way = await passage()
      return way.to(path, { access: 'write', links: 'stop' }, async (spot) => {
        const found = present(spot, path)
        guardRoots(way, spot.real, path)
        way.demandSeen(spot.real)
        if (found.isDirectory()) {
          if (!recursive) throw fileFailure('needs_recursive', path)
          await demandAll(way, spot, spot.real)
        }
        return { real: spot.real, removed: await removeTree(spot.anchor, spot.name, path, signal) }
      })
    },

    async makeDirectory(path) {
      const way = await passage()
      return makeDirectories(way, way.read(path, 'write'), path, way.demandSeen)
    },
  }
}

function present(spot: ResolvedEntry, path: string): NonNullable<ResolvedEntry['found']> {
  if (!spot.found) throw systemFailure('ENOENT', path)
  return spot.found
}

/** If the entry was replaced by a link in the meantime, it is not followed. */
async function openStill({ anchor, name }: ResolvedEntry, path: string): Promise<FileHandle> {
  return open(anchor.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    throw errorCode(error) === 'ELOOP' ? fileFailure('changed_since_read', path) : error
  })
}

async function directory(way: PathResolver, path: string): Promise<OpenDirectory> {
  const absolute = way.read(path, 'read')
  try {
    const anchor = await way.anchoring(absolute)
    try {
      way.demand(anchor.real, 'read', 'directory')
    } catch (error) {
      await anchor.close()
      throw error
    }
    return anchor
  } catch (error) {
    if (!(error instanceof Refused)) way.demand(absolute, 'read', 'directory')
    throw asFileFailure(error, path)
  }
}

/** A child still has our descriptors when it changes its directory, but `/proc/self` is its own process. */
function forChild(anchor: OpenDirectory): string {
  return anchor.at('').replace('/proc/self/', `/proc/${process.pid}/`)
}

function guardRoots({ walls }: PathResolver, real: string, path: string): void {
  if (![walls.workspace, walls.temp, walls.home].some((folder) => isInside(folder, real))) return
  throw new Refused('workspace_root', `"${displayPath(path)}" is the workspace itself or contains it.`, {
    subject: displayPath(path),
    remedy: 'Use a path inside the workspace.',
    blocked_by: 'sandbox',
    attempted: 'write',
  })
}

/** A directory is moved or deleted as a whole, so the call must have access to everything in it, at the old and the new path. */
async function demandAll(way: PathResolver, { anchor, name, real }: ResolvedEntry, newReal: string): Promise<void> {
  await withOpenDirectory(anchor.enter(name), async (inside) => {
    for await (const entry of walkTree(inside, () => true)) {
      const kind = entry.type === 'directory' ? 'directory' : 'file'
      way.demand(join(real, entry.path), 'write', kind)
      if (newReal !== real) way.demand(join(newReal, entry.path), 'write', kind)
    }
  })
}
