// A path as it was found: enough to tell whether it is unchanged, and to restore it.

import type { PathStats } from '../scan/listing.ts'
import { type Attributes, nanosecondsOf, sameAttributes } from './attributes.ts'
import { extendedAttributesAt, noExtendedAttributes } from './extended-attributes.ts'
import { exactStatsOf } from './stats.ts'

export interface FileImage extends Attributes {
  readonly type: 'file'
  readonly mode: number
  readonly size: number
  /** Milliseconds with their fraction; together with `ctime` and `ino` they show whether a file changed, without reading it. */
  readonly mtime: number
  readonly ctime: number
  readonly ino: number
  readonly links: number
  /** When the file was created; a file that is older than a call was not created by it. */
  readonly born: number
  /** Null if the content was not read. */
  readonly sha256: string | null
  /** Null if the content is not stored. */
  readonly content: ContentPlace | null
  /** Read so soon after its last change that another change could have the same time: the times prove nothing. */
  readonly racy: boolean
}

export interface LinkImage extends Attributes {
  readonly type: 'symlink'
  readonly link_target: string
  readonly mtime: number
}

export interface FolderImage extends Attributes {
  readonly type: 'directory'
  readonly mode: number
  readonly mtime: number
  /** While it is unchanged, so are the attributes. */
  readonly ctime?: number | undefined
}

/** Pipes, sockets and devices: listed, never stored. */
export interface SpecialImage {
  readonly type: 'special'
  readonly ino: number
}

export type Image = FileImage | LinkImage | FolderImage | SpecialImage

/** `unseen`: not examined, which is different from `absent`. */
export type ScannedPath = Image | 'absent' | 'unseen'

/** A range of the contents of one pack, or a separate clone. */
export type ContentPlace = { readonly pack: string; readonly start: number } | { readonly clone: string }

export function fileImage(stats: PathStats): FileImage {
  return {
    type: 'file',
    mode: stats.mode & 0o7777,
    size: stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    ino: stats.ino,
    links: stats.nlink,
    born: stats.birthtimeMs,
    sha256: null,
    content: null,
    racy: false,
    uid: stats.uid,
    gid: stats.gid,
  }
}

/** `before`: the known image of the path; if the folder is unchanged, its attributes need not be read again. */
export function folderImage(path: string, stats: PathStats, before: Image | undefined): FolderImage {
  const mode = stats.mode & 0o7777
  if (before?.type === 'directory' && before.ctime === stats.ctimeMs && before.mtime === stats.mtimeMs && before.mode === mode)
    return before
  const { mtimeMs: mtime, ctimeMs: ctime, uid, gid } = stats
  return { type: 'directory', mode, mtime, ctime, uid, gid, ...nanoseconds(path), xattrs: extendedAttributesAt(path) }
}

export function linkImage(path: string, link_target: string, stats: PathStats, before: Image | undefined): LinkImage {
  const { mtimeMs: mtime, uid, gid } = stats
  const isSame = before?.type === 'symlink' && before.mtime === mtime && before.link_target === link_target
  if (isSame && before.uid === uid && before.gid === gid) return before
  return { type: 'symlink', link_target, mtime, uid, gid, ...nanoseconds(path), xattrs: noExtendedAttributes }
}

function nanoseconds(path: string): Pick<Attributes, 'mtime_ns'> {
  const stats = exactStatsOf(path)
  return stats ? { mtime_ns: nanosecondsOf(stats) } : {}
}

/** The same check on the stats of the system: most files of a scan are unchanged, and need no new image. */
export function isUnchangedByStats(known: FileImage, stats: PathStats): boolean {
  return (
    known.ctime === stats.ctimeMs &&
    known.mtime === stats.mtimeMs &&
    known.ino === stats.ino &&
    known.size === stats.size &&
    known.mode === (stats.mode & 0o7777) &&
    // Points of earlier versions have no owner and no other attributes: these are read once.
    known.uid === stats.uid &&
    known.gid === stats.gid &&
    !known.racy
  )
}

/** By the times only: not written since. */
export function isUnchanged(known: FileImage, found: FileImage): boolean {
  return (
    !known.racy &&
    known.ino === found.ino &&
    known.size === found.size &&
    known.mtime === found.mtime &&
    known.ctime === found.ctime &&
    known.mode === found.mode
  )
}

/**
 * Whether it was unchanged between two scans, one of which may have read it just after it was written. Only if times are precise: someone
 * else would have had to write within the same few milliseconds.
 */
export function isUnchangedBetween(earlier: ScannedPath, later: ScannedPath): boolean {
  if (typeof earlier === 'string' || typeof later === 'string' || earlier.type !== 'file' || later.type !== 'file') return false
  const fine = earlier.mtime % 1_000 !== 0 || earlier.ctime % 1_000 !== 0
  return fine && isUnchanged({ ...earlier, racy: false }, later)
}

/** Whether the bytes are the same. Without both hashes, only unchanged times prove it; anything unproven counts as different. */
export function sameContent(left: FileImage, right: FileImage): boolean {
  if (left.size !== right.size) return false
  if (left.sha256 !== null && right.sha256 !== null) return left.sha256 === right.sha256
  // `cp -p` and `touch -r` write a file and then reset its modification time; only the change time cannot be set.
  return !left.racy && !right.racy && left.ino === right.ino && left.mtime === right.mtime && left.ctime === right.ctime
}

/** Same type, content, link target, permissions and attributes. The modification time of a folder is not compared. */
export function sameImage(left: ScannedPath, right: ScannedPath): boolean {
  if (left === right) return true
  if (typeof left === 'string' || typeof right === 'string') return false
  if (left.type === 'special' || right.type === 'special') return left.type === right.type
  return sameShape(left, right) && sameAttributes(left, right)
}

function sameShape(left: Exclude<Image, SpecialImage>, right: Exclude<Image, SpecialImage>): boolean {
  if (left.type === 'file' && right.type === 'file') return left.mode === right.mode && sameContent(left, right)
  if (left.type === 'symlink' && right.type === 'symlink') return left.link_target === right.link_target
  return left.type === 'directory' && right.type === 'directory' && left.mode === right.mode
}

/** Times of a file system with a precision of one second are ambiguous for longer. */
export function isRacy(image: { readonly mtime: number; readonly ctime: number }, readAt: number): boolean {
  const coarse = image.mtime % 1_000 === 0 && image.ctime % 1_000 === 0
  return Math.max(image.mtime, image.ctime) > readAt - (coarse ? 2_500 : 50)
}
