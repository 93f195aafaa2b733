// Replaces a file atomically: written next to it, made durable, then renamed over the old file.

import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, unlink } from 'node:fs/promises'
import type { FileVersion } from '../../call/files.ts'
import { sameVersion } from './file-facts.ts'
import { errorCode, fileFailure, systemFailure } from './file-failure.ts'
import type { OpenDirectory } from './open-directory.ts'
import { lstatOrNull, notARegularFile, type ResolvedEntry } from './path-resolver.ts'

/** A changed program must not keep setuid and setgid. */
const permissions = 0o777n

/** `expect` is what the caller last saw there; `null` means nothing. */
export async function replaceFile(spot: ResolvedEntry, bytes: Uint8Array, path: string, expect?: FileVersion | null): Promise<void> {
  const { anchor, name, found } = spot
  if (found?.isDirectory()) throw systemFailure('EISDIR', path)
  if (found && !found.isFile()) throw notARegularFile(path, 'write')
  // A rename does not need permission to write the file, but a read-only file should not be replaced.
  if (found && (found.mode & 0o222n) === 0n) throw fileFailure('read_only_file', path)
  const beside = temporaryName()
  const handle = await createNew(anchor, beside, found ? 0o600 : 0o666)
  try {
    try {
      await handle.writeFile(bytes)
      if (found) await keepOwner(handle, found)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await anchor.confirm()
    const now = await lstatOrNull(anchor.at(name))
    const seen = expect === undefined ? found : expect
    if (now ? !seen || !sameVersion(now, seen) : seen !== null) throw fileFailure('changed_since_read', path)
    await (now ? rename(anchor.at(beside), anchor.at(name)) : putWhereNothingIs(anchor, beside, name, path))
  } catch (error) {
    await discard(anchor, beside)
    throw error
  }
  await syncDirectory(anchor)
  await removeLeftovers(anchor)
}

/** Short, whatever the name of the file: it must fit for a file with the longest allowed name. Begins with the number of this process. */
export function temporaryName(): string {
  return `.tandem-${process.pid.toString(16).padStart(8, '0')}${randomBytes(4).toString('hex')}.tmp`
}

const cleaned = new Set<string>()
/** In case that its process lives where this one cannot see it, in a container. */
const leftAfter_ms = 1_000

/** What killed processes were writing when they were killed. Once for each folder, with the first file that is written there. */
async function removeLeftovers(anchor: OpenDirectory): Promise<void> {
  if (cleaned.has(anchor.real)) return
  cleaned.add(anchor.real)
  const names = await readdir(anchor.at('')).catch(() => [])
  for (const name of names.filter(isTemporaryName).filter(isOfDeadProcess)) {
    const found = await lstatOrNull(anchor.at(name))
    if (found?.isFile() && Date.now() - Number(found.mtimeMs) > leftAfter_ms) await unlink(anchor.at(name)).catch(() => undefined)
  }
}

function isOfDeadProcess(name: string): boolean {
  const pid = Number.parseInt(name.slice('.tandem-'.length, -'00000000.tmp'.length), 16)
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}

/** A file that was being written when the process was killed: no one's work. */
export function isTemporaryName(name: string): boolean {
  return /^\.tandem-[0-9a-f]{16}\.tmp$/.test(name)
}

export function createNew(anchor: OpenDirectory, name: string, mode: number): Promise<FileHandle> {
  return open(anchor.at(name), constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW, mode)
}

/** A file that was created in the meantime is never overwritten. On file systems without hard links, a rename has a small risk of it. */
async function putWhereNothingIs(anchor: OpenDirectory, beside: string, name: string, path: string): Promise<void> {
  try {
    await link(anchor.at(beside), anchor.at(name))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw fileFailure('changed_since_read', path)
    if (!lacksHardLinks(error)) throw error
    return rename(anchor.at(beside), anchor.at(name))
  }
  await unlink(anchor.at(beside))
}

export function lacksHardLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES'].includes(errorCode(error) ?? '')
}

async function keepOwner(handle: FileHandle, found: { mode: bigint; uid: bigint; gid: bigint }): Promise<void> {
  const now = await handle.stat({ bigint: true })
  if (now.uid !== found.uid || now.gid !== found.gid) {
    // Only root can give files away; for others the new file belongs to the user who wrote it.
    await handle.chown(Number(found.uid), Number(found.gid)).catch(ignoreDenied)
  }
  await handle.chmod(Number(found.mode & permissions))
}

function ignoreDenied(error: unknown): void {
  if (errorCode(error) !== 'EPERM') throw error
}

async function discard(anchor: OpenDirectory, name: string): Promise<void> {
  await unlink(anchor.at(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}

/** Makes the new name survive a power failure. Windows cannot open directories; there the journal of the file system must suffice. */
export async function syncDirectory(anchor: OpenDirectory): Promise<void> {
  const handle = await open(anchor.at(''), constants.O_RDONLY | constants.O_DIRECTORY).catch(() => null)
  if (!handle) return
  try {
    await handle.sync()
  } catch (error) {
    if (errorCode(error) !== 'EINVAL') throw error
  } finally {
    await handle.close()
  }
}
