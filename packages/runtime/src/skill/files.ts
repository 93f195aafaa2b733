// Reads untrusted folders: links never lead outside, only regular files are opened, and every read is limited.
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'

interface PlainFile {
  /** The real path, without links. */
  readonly path: string
  /** Changes when the file does. */
  readonly stamp: string
  readonly size: number
  readonly executable: boolean
}

type Opened =
  | { readonly ok: true; readonly file: PlainFile; readonly bytes: Buffer | null }
  | { readonly ok: false; readonly why: FileProblem }

export type FileProblem = 'missing' | 'outside' | 'not_a_file' | 'too_large' | 'unreadable'

type SkillFilePlace = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: FileProblem }

/** The real path, if it is inside one of `roots` (which are real paths). */
export function placeInside(path: string, roots: readonly string[]): SkillFilePlace {
  let real: string
  try {
    real = realpathSync.native(path)
  } catch (error) {
    return { ok: false, why: codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable' }
  }
  const inside = roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))
  return inside ? { ok: true, path: real } : { ok: false, why: 'outside' }
}

/** Reads a file unless `known` is its stamp; then `bytes` is null. Never waits for a pipe or follows a link at the end of the path. */
export function readPlainFile(path: string, cap: number, known?: string): Opened {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    const code = codeOf(error)
    return { ok: false, why: code === 'ENOENT' ? 'missing' : code === 'ELOOP' ? 'outside' : code === 'ENXIO' ? 'not_a_file' : 'unreadable' }
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) return { ok: false, why: 'not_a_file' }
    if (facts.size > cap) return { ok: false, why: 'too_large' }
    const stamp = `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`
    const file = { path, size: facts.size, stamp, executable: (facts.mode & 0o111) !== 0 }
    if (stamp === known) return { ok: true, file, bytes: null }
    // A folder above it may have been replaced by a link while it was opened.
    return isAt(descriptor, path) ? { ok: true, file, bytes: readUpTo(descriptor, cap) } : { ok: false, why: 'outside' }
  } catch {
    // A disk error during the read is reported like an unreadable file.
    return { ok: false, why: 'unreadable' }
  } finally {
    closeSync(descriptor)
  }
}

/** Whether the open file is the one at this real path. */
function isAt(descriptor: number, path: string): boolean {
  return (process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync.native(path)) === path
}

/** The size may be wrong (a growing file, or one in /proc): what counts is what is read. */
function readUpTo(descriptor: number, cap: number): Buffer {
  const parts: Buffer[] = []
  let total = 0
  while (total <= cap) {
    const part = Buffer.allocUnsafe(Math.min(64 * 1024, cap + 1 - total))
    const count = readSync(descriptor, part, 0, part.length, null)
    if (count === 0) break
    parts.push(part.subarray(0, count))
    total += count
  }
  if (total > cap) throw new Error('it grew beyond the limit')
  return Buffer.concat(parts)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
