// Reads a file of a source: the file that was found at this path, and nothing that a link leads to.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from 'node:fs'
import type { DocumentProblem } from '@tandem/contract/knowledge'
import type { FileTimes } from './find-files.ts'

export type ReadFile =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly stats: FileTimes }
  | { readonly problem: DocumentProblem | 'gone'; readonly detail?: string | null; readonly stats: FileTimes | null }

interface Refusal {
  readonly problem: DocumentProblem
  readonly detail: string | null
}

const beginning = 1_024
/** Larger files are not read at all. */
const largestFile = 64 * 1_024 * 1_024

export interface ReadOptions {
  readonly largest?: number
  /** Why the rest is not worth reading, by the first bytes. */
  refuses?(beginning: Uint8Array): Refusal | null
}

export function readFile(path: string, { largest = largestFile, refuses = () => null }: ReadOptions = {}): ReadFile {
  let descriptor: number
  try {
    // A pipe would block, and a link may lead anywhere.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return { problem: problemOf(error), stats: null }
  }
  try {
    const before = fstatSync(descriptor)
    const stats = timesOf(before)
    // A folder on the way may be a link by now.
    if (!before.isFile() || realPathOf(descriptor, path) !== path) return { problem: 'gone', stats: null }
    if (before.size > largest) return { problem: 'too_large', stats }
    const refusal = refuses(readWhole(descriptor, Math.min(before.size, beginning)))
    if (refusal) return { ...refusal, stats }
    const bytes = readWhole(descriptor, before.size)
    const after = timesOf(fstatSync(descriptor))
    const isSame = after.size === stats.size && after.mtime === stats.mtime && after.ctime === stats.ctime
    return isSame && bytes.length === stats.size ? { bytes, stats } : { problem: 'changed_meanwhile', stats: null }
  } catch (error) {
    return { problem: problemOf(error), stats: null }
  } finally {
    closeSync(descriptor)
  }
}

function readWhole(descriptor: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  let read = 0
  while (read < size) {
    const count = readSync(descriptor, bytes, read, size - read, read)
    if (count === 0) break
    read += count
  }
  return read === size ? bytes : bytes.slice(0, read)
}

function realPathOf(descriptor: number, path: string): string {
  return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(path)
}

function timesOf({ size, mtimeMs: mtime, ctimeMs: ctime, ino }: Stats): FileTimes {
  return { size, mtime, ctime, ino }
}

function problemOf(error: unknown): DocumentProblem | 'gone' {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return 'gone'
  return code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'failed'
}
