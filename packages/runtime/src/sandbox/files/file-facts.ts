// What can be determined about an entry without opening it.
import type { BigIntStats } from 'node:fs'
import type { FileFacts, FileVersion } from '../../call/files.ts'

export function fileFacts(stats: BigIntStats): FileFacts {
  return {
    type: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : 'other',
    size: Number(stats.size),
    modified: Number(stats.mtimeMs),
    mode: Number(stats.mode & 0o7777n),
    link_count: Number(stats.nlink),
  }
}

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileVersion {
  return { dev, ino, size, mtimeNs, ctimeNs }
}

export function sameVersion(left: FileVersion, right: FileVersion): boolean {
  return (
    left.dev === right.dev &&
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  )
}
