// The current state of the disk for a restore: never through a link, and including folders that are closed to everyone but their owner.
import { chmodSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Image, ScannedPath } from '../content/image.ts'
import { readImage } from './look.ts'

const nothing = new Map<string, Image>()

/** A view of the disk. Folders are read once, so it is discarded when something changed. */
export class DiskView {
  readonly #real = new Map<string, 'real' | 'absent' | 'linked' | 'closed'>()

  seenAt(path: string): ScannedPath {
    const above = this.#folder(dirname(path))
    if (above === 'closed') return 'unseen'
    if (above !== 'real') return 'absent'
    return readImage(path, nothing) ?? 'absent'
  }

  typeAt(path: string): Image['type'] | 'absent' {
    const above = this.#folder(dirname(path))
    if (above === 'linked') return 'symlink'
    const seen = this.seenAt(path)
    return typeof seen === 'string' ? 'absent' : seen.type
  }

  children(folder: string): string[] {
    if (this.typeAt(folder) !== 'directory') return []
    return readdirSync(folder).map((name) => join(folder, name))
  }

  #folder(folder: string): 'real' | 'absent' | 'linked' | 'closed' {
    const known = this.#real.get(folder)
    if (known) return known
    const found = folderState(folder)
    this.#real.set(folder, found)
    return found
  }
}

function folderState(folder: string): 'real' | 'absent' | 'linked' | 'closed' {
  try {
    if (realpathSync(folder) !== resolve(folder)) return 'linked'
    const stats = lstatSync(folder)
    if (!stats.isDirectory()) return 'absent'
    return canEnter(stats.mode, stats.uid) ? 'real' : 'closed'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'closed' : 'absent'
  }
}

/** Only for our own folders: for others, the kernel decides. */
function canEnter(mode: number, uid: number): boolean {
  const own = process.geteuid?.()
  return own === undefined || own === 0 || uid !== own || (mode & 0o100) !== 0
}

/** Runs `work` with closed folders opened, as far as we own them, and closes them again. */
export function withFoldersOpen<Result>(folders: readonly string[], work: (modes: ReadonlyMap<string, number>) => Result): Result {
  const opened = new Map<string, number>()
  try {
    for (const folder of folders.toSorted((left, right) => left.length - right.length)) {
      const mode = openFolder(folder)
      if (mode !== null) opened.set(folder, mode)
    }
    return work(opened)
  } finally {
    for (const [folder, mode] of [...opened].reverse()) chmodSync(folder, mode)
  }
}

function openFolder(folder: string): number | null {
  try {
    const stats = lstatSync(folder)
    const own = process.geteuid?.()
    if (!stats.isDirectory() || own === 0 || stats.uid !== own || (stats.mode & 0o500) === 0o500) return null
    chmodSync(folder, (stats.mode & 0o7777) | 0o700)
    return stats.mode & 0o7777
  } catch {
    // Missing, or below a folder that is not ours: it stays closed and is reported as unreadable.
    return null
  }
}
