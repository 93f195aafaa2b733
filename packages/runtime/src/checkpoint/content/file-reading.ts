// Reads files without following links, and detects changes during the read.
import { createHash } from 'node:crypto'
import { chmodSync, closeSync, constants, copyFileSync, fstatSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { nanosecondsOf } from './attributes.ts'
import { extendedAttributesOf } from './extended-attributes.ts'
import { type FileImage, fileImage, isRacy } from './image.ts'

export const chunk = 1024 * 1024

/** Shares blocks or fails; never makes a silent copy. */
export function cloneFile(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // Not supported here, or not across these two file systems: the content is copied into the pack instead.
    rmSync(to, { force: true })
    return false
  }
}

/** Only the hash, for content that is not stored. Null if the file cannot be read or keeps changing. */
export function hashFile(path: string, now: () => number): FileImage | null {
  const descriptor = openForReading(path)
  if (typeof descriptor === 'string') return null
  try {
    const readAt = now()
    const image = fileImage(fstatSync(descriptor))
    const sha256 = hashOf(readChunks(descriptor))
    const steady = withAttributesIfUnchanged(descriptor, path, image)
    return steady && { ...steady, sha256, racy: isRacy(steady, readAt) }
  } finally {
    closeSync(descriptor)
  }
}

/** The image with all its attributes; null if the open file changed since reading began. */
export function withAttributesIfUnchanged(descriptor: number, path: string, image: FileImage): FileImage | null {
  const now = fstatSync(descriptor, { bigint: true })
  const isSame = Number(now.size) === image.size && milliseconds(now.mtimeNs) === image.mtime && milliseconds(now.ctimeNs) === image.ctime
  return isSame ? { ...image, mtime_ns: nanosecondsOf(now), xattrs: extendedAttributesOf(descriptor, path) } : null
}

/** Exactly as `Stats` has it. */
function milliseconds(nanoseconds: bigint): number {
  const rest = Number(((nanoseconds % second) + second) % second)
  return Number((nanoseconds - BigInt(rest)) / second) * 1_000 + rest / 1e6
}

const second = 1_000_000_000n

/** A file that we own but may not read (`chmod 000`) is made readable briefly, then reset. */
export function openForReading(path: string): number | 'unreadable' | 'gone' {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  try {
    return openSync(path, flags)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'gone'
    if (error.code !== 'EACCES') return 'unreadable'
  }
  try {
    const { mode } = statSync(path)
    chmodSync(path, mode | 0o400)
    try {
      return openSync(path, flags)
    } finally {
      chmodSync(path, mode & 0o7777)
    }
  } catch {
    // Not our file: it is reported as unreadable.
    return 'unreadable'
  }
}

export function readWhole(descriptor: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
  let done = 0
  while (done < size) {
    const read = readSync(descriptor, buffer, done, size - done, done)
    if (read === 0) break
    done += read
  }
  return buffer.subarray(0, done)
}

export function* readChunks(descriptor: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunk)
  for (let offset = 0; ; ) {
    const read = readSync(descriptor, buffer, 0, chunk, offset)
    if (read === 0) return
    offset += read
    yield buffer.subarray(0, read)
  }
}

export function hashOf(parts: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
