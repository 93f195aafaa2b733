// Whole trees, entry by entry; each directory is kept open while it is processed, so a link that replaces a folder is not followed.
import { constants } from 'node:fs'
import { lstat, mkdir, open, opendir, readlink, rmdir, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TreeEntry } from '../../call/files.ts'
import { fileFacts } from './file-facts.ts'
import { asFileFailure, errorCode } from './file-failure.ts'
import { type OpenDirectory, withOpenDirectory } from './open-directory.ts'
import { notARegularFile } from './path-resolver.ts'
import { createNew, syncDirectory } from './replace.ts'

/** Depth first, in directory order. Memory grows with the depth, not with the number of files. */
export async function* walkTree(
  anchor: OpenDirectory,
  enters: (entry: TreeEntry) => boolean | Promise<boolean>,
  prefix = '',
  depth = 1,
): AsyncGenerator<TreeEntry> {
  const directory = await opendir(anchor.at(''), { bufferSize: 256 }).catch((error: unknown) => {
    // One unreadable folder does not end the walk.
    if (depth > 1 && errorCode(error) === 'EACCES') return []
    throw error
  })
  for await (const dirent of directory) {
    const { name } = dirent
    const entry: TreeEntry = {
      name,
      path: prefix + name,
      real: join(anchor.real, name),
      depth,
      type: dirent.isFile() ? 'file' : dirent.isDirectory() ? 'directory' : dirent.isSymbolicLink() ? 'link' : 'other',
      facts: async () => fileFacts(await lstat(anchor.at(name), { bigint: true })),
      target: () => readlink(anchor.at(name)),
    }
    yield entry
    if (entry.type !== 'directory' || !(await enters(entry))) continue
    // An entry that was removed or replaced in the meantime has nothing below it.
    const below = await anchor.enter(name).catch(() => null)
    if (!below) continue
    try {
      yield* walkTree(below, enters, `${entry.path}/`, depth + 1)
    } finally {
      await below.close()
    }
  }
}

/** Files and links are unlinked, never the targets of links. Returns the number of removed entries. */
export async function removeTree(anchor: OpenDirectory, name: string, path: string, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted()
  try {
    const found = await lstat(anchor.at(name))
    if (!found.isDirectory()) {
      await unlink(anchor.at(name))
      return 1
    }
    const removed = await withOpenDirectory(anchor.enter(name), async (inside) => {
      let all = 0
      // Some file systems skip entries while others are removed, so repeat until nothing is left.
      for (let gone = -1; gone !== 0; all += gone) {
        gone = 0
        for await (const entry of await opendir(inside.at('')))
          gone += await removeTree(inside, entry.name, `${path}/${entry.name}`, signal)
      }
      return all
    })
    await rmdir(anchor.at(name))
    return removed + 1
  } catch (error) {
    throw asFileFailure(error, path)
  }
}

/** For another file system, to which nothing can be renamed. Everything copied is durable when it returns. */
export async function copyTree(
  from: OpenDirectory,
  name: string,
  to: OpenDirectory,
  newName: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const found = await lstat(from.at(name))
  if (found.isSymbolicLink()) return symlink(await readlink(from.at(name)), to.at(newName))
  if (found.isFile()) return copyFile(from, name, to, newName)
  if (!found.isDirectory()) throw notARegularFile(path, 'read')
  await mkdir(to.at(newName), { mode: 0o700 })
  await withOpenDirectory(from.enter(name), (source) =>
    withOpenDirectory(to.enter(newName), async (target) => {
      for await (const entry of await opendir(source.at(''))) {
        await copyTree(source, entry.name, target, entry.name, `${path}/${entry.name}`, signal)
      }
      await syncDirectory(target)
      const handle = await open(target.at(''), constants.O_RDONLY | constants.O_DIRECTORY)
      try {
        await handle.chmod(found.mode & 0o1777)
        await handle.utimes(found.atime, found.mtime)
      } finally {
        await handle.close()
      }
    }),
  )
}

async function copyFile(from: OpenDirectory, name: string, to: OpenDirectory, newName: string): Promise<void> {
  const source = await open(from.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await source.stat()
    if (!facts.isFile()) throw notARegularFile(name, 'read')
    const target = await createNew(to, newName, 0o600)
    try {
      const buffer = Buffer.allocUnsafe(1024 * 1024)
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) break
        for (let at = 0; at < bytesRead; ) at += (await target.write(buffer, at, bytesRead - at)).bytesWritten
      }
      await target.chmod(facts.mode & 0o777)
      await target.utimes(facts.atime, facts.mtime)
      await target.sync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
