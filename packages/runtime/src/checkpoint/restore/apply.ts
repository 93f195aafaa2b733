// Makes paths equal to their images, and changes nothing else. Every step can be repeated: an interrupted restore is applied again.
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { RestoreChange } from '@tandem/contract/checkpoint'
import { restoreAttributes, restoreTime } from '../content/attributes.ts'
import type { Contents } from '../content/contents.ts'
import { type FileImage, type FolderImage, type Image, type LinkImage, sameContent, sameImage } from '../content/image.ts'
import { writeSparse } from '../content/sparse.ts'
import { exactStatsOf, hasCode, statsOf } from '../content/stats.ts'
import type { Crashpoint } from '../crashpoint.ts'
import { DiskView } from '../scan/disk.ts'
import { OpenedFolders } from '../scan/opened-folders.ts'

export interface Operation {
  readonly path: string
  /** The state when the restore was staged; anything else means that someone changed it meanwhile. */
  readonly now: Image | 'absent'
  readonly to: Image | 'absent'
  /** How the preview counted it; journals of earlier versions do not have it. */
  readonly change?: RestoreChange
}

export interface ApplyPorts {
  readonly contents: Contents
  readonly crashpoint: Crashpoint
  /** Part of the names of the temporary files, so that a later attempt finds them. */
  readonly restore_id: string
  /** Folders whose modes prevent access, with these modes: they are set again at the end, whoever opened the folders. */
  readonly closed: readonly (readonly [string, number])[]
  hash(path: string): FileImage | null
}

export interface Applied {
  readonly done: readonly string[]
  readonly left: readonly NotRestored[]
}

/** A path that is not as the restore should have left it. `conflict`: someone else changed it meanwhile. */
export interface NotRestored {
  readonly path: string
  readonly change: 'conflict' | 'unrecoverable'
  readonly reason: string
}

/** Throws on a disk error (full, read-only); what was applied before stays applied. */
export function apply(operations: readonly Operation[], ports: ApplyPorts): Applied {
  const run = new Application(ports)
  try {
    const deepestFirst = operations.toSorted((left, right) => right.path.length - left.path.length)
    const topDown = operations.toSorted((left, right) => left.path.length - right.path.length)
    for (const operation of topDown) run.check(operation)
    for (const operation of deepestFirst) if (removes(operation)) run.remove(operation)
    for (const operation of topDown) if (operation.to !== 'absent' && operation.to.type === 'directory') run.makeFolder(operation)
    for (const operation of topDown) if (operation.to !== 'absent' && operation.to.type !== 'directory') run.put(operation, operation.to)
    for (const operation of deepestFirst)
      if (operation.to !== 'absent' && operation.to.type === 'directory') run.finishFolder(operation.path, operation.to)
  } finally {
    run.end()
  }
  return run.applied()
}

/** Paths that must be removed before something else can replace them. */
function removes({ now, to }: Operation): boolean {
  if (to === 'absent') return true
  if (now === 'absent') return false
  return (now.type === 'directory') !== (to.type === 'directory')
}

const changedMeanwhile = 'it was changed outside Tandem during the restore'

/** The mode of a folder until its content is complete: closed to others, whatever mode it gets in the end. */
const making = 0o700

function isHalfMade(found: Image, now: Image | 'absent'): boolean {
  return found.type === 'directory' && found.mode === making && now !== 'absent' && now.type === 'directory'
}

class Application {
  readonly #ports: ApplyPorts
  readonly #view = new DiskView()
  readonly #open: OpenedFolders
  readonly #reachable = new Set<string>()
  readonly #skipped = new Set<string>()
  /** What was found at each path when it was checked. */
  readonly #checked = new Map<string, BigIntStats | null>()
  readonly #done: string[] = []
  readonly #left: NotRestored[] = []
  #temps = 0

  constructor(ports: ApplyPorts) {
    this.#ports = ports
    this.#open = new OpenedFolders(ports.closed)
  }

  applied(): Applied {
    return { done: this.#done, left: this.#left }
  }

  /** Skips paths that are already as wanted, and paths that are neither as wanted nor as staged. */
  check({ path, now, to }: Operation): void {
    this.#open.above(path)
    // First, so that a change while the path is compared is noticed later.
    this.#checked.set(path, exactStatsOf(path))
    const found = this.#view.seenAt(path)
    if (found === 'unseen') {
      this.#skip(path, 'it cannot be read now', 'unrecoverable')
      return
    }
    if (this.#is(path, found, to)) this.#skip(path, null)
    // Partially applied: the old path is already removed, or a new folder does not have its mode yet.
    else if (found === 'absent' || this.#is(path, found, now) || isHalfMade(found, now)) return
    else if (found.type === 'directory' && to !== 'absent' && to.type === 'directory') return
    else this.#skip(path, changedMeanwhile)
  }

  remove(operation: Operation): void {
    const { path } = operation
    if (this.#skipped.has(path)) return
    const stats = statsOf(path)
    if (!stats) {
      this.#note(path)
      return
    }
    this.#open.above(path)
    if (stats.isDirectory()) {
      try {
        rmdirSync(path)
      } catch (error) {
        if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
        this.#skip(path, 'it contains something else')
        return
      }
    } else if (this.#isAsChecked(operation)) unlinkSync(path)
    else {
      this.#skip(path, changedMeanwhile)
      return
    }
    this.#note(path)
  }

  makeFolder({ path }: Operation): void {
    if (this.#skipped.has(path)) return
    const stats = statsOf(path)
    if (stats && !stats.isDirectory()) {
      this.#skip(path, 'something else is in its place')
      return
    }
    if (!stats) {
      this.#open.above(path)
      mkdirSync(path, { recursive: true, mode: making })
    }
    this.#note(path)
  }

  put(operation: Operation, to: Image): void {
    const { path } = operation
    if (this.#skipped.has(path)) return
    if (!this.#isReachable(path)) {
      this.#skip(path, 'its parent is no longer a folder')
      return
    }
    this.#open.above(path)
    const isPut = to.type === 'file' ? this.#putFile(operation, to) : to.type === 'symlink' ? this.#putLink(operation, to) : true
    if (isPut) this.#note(path)
    else this.#skip(path, changedMeanwhile)
  }

  finishFolder(path: string, to: FolderImage): void {
    if (this.#skipped.has(path)) return
    restoreTime(path, to)
    restoreAttributes(path, to)
    chmodSync(path, to.mode)
    this.#open.done(path)
  }

  end(): void {
    this.#open.end()
  }

  /** False if someone else changed the path. */
  #putFile(operation: Operation, to: FileImage): boolean {
    const { path, now } = operation
    if (now !== 'absent' && now.type === 'file' && sameContent(now, to) && statsOf(path)) {
      if (!this.#isAsChecked(operation)) return false
      restoreAttributes(path, to)
      chmodSync(path, to.mode)
      return true
    }
    const temp = this.#temp(path)
    const descriptor = openSync(temp, 'w', 0o600)
    try {
      writeSparse(descriptor, this.#ports.contents.read(to))
      fsyncSync(descriptor)
    } catch (error) {
      closeSync(descriptor)
      rmSync(temp, { force: true })
      throw error
    }
    closeSync(descriptor)
    restoreTime(temp, to)
    restoreAttributes(temp, to)
    chmodSync(temp, to.mode)
    this.#ports.crashpoint('apply:file-written')
    return this.#replace(operation, temp)
  }

  #putLink(operation: Operation, to: LinkImage): boolean {
    const temp = this.#temp(operation.path)
    symlinkSync(to.link_target, temp)
    restoreAttributes(temp, to)
    restoreTime(temp, to)
    return this.#replace(operation, temp)
  }

  /** Writing the new file took long enough for someone to save the old one. */
  #replace(operation: Operation, temp: string): boolean {
    const isAsChecked = this.#isAsChecked(operation)
    if (isAsChecked) renameSync(temp, operation.path)
    else rmSync(temp, { force: true })
    return isAsChecked
  }

  /** What is replaced or removed is exactly what was saved before the restore: nothing else can be brought back. */
  #isAsChecked({ path, now }: Operation): boolean {
    const before = this.#checked.get(path) ?? null
    const stats = exactStatsOf(path)
    if (!stats) return true
    // What was there before may have been removed by this restore, but nothing else may have come since.
    if (!before || before.isDirectory()) return false
    const isSame = stats.ino === before.ino && stats.size === before.size
    if (isSame && stats.ctimeNs === before.ctimeNs && stats.mtimeNs === before.mtimeNs) return true
    // A file with several names gets a new change time when one of them is restored.
    const found = new DiskView().seenAt(path)
    return found !== 'unseen' && this.#is(path, found, now)
  }

  #temp(path: string): string {
    const temp = join(dirname(path), `.tandem-restore-${this.#ports.restore_id}-${this.#temps}`)
    this.#temps += 1
    rmSync(temp, { force: true })
    return temp
  }

  #is(path: string, found: Image | 'absent', wanted: Image | 'absent'): boolean {
    if (sameImage(found, wanted)) return true
    if (found === 'absent' || wanted === 'absent' || found.type !== 'file' || wanted.type !== 'file') return false
    if (found.size !== wanted.size || found.mode !== wanted.mode || wanted.sha256 === null) return false
    const read = this.#ports.hash(path)
    return read !== null && sameImage({ ...read, mode: found.mode }, wanted)
  }

  /** No link on the way: writing through one would change something outside. */
  #isReachable(path: string): boolean {
    const folder = dirname(path)
    if (this.#reachable.has(folder)) return true
    let standing = folder
    while (!statsOf(standing) && standing !== dirname(standing)) standing = dirname(standing)
    if (realpathSync(standing) !== standing || !statsOf(standing)?.isDirectory()) return false
    mkdirSync(folder, { recursive: true })
    this.#reachable.add(folder)
    return true
  }

  #note(path: string): void {
    this.#done.push(path)
    this.#ports.crashpoint('apply:path-done')
  }

  #skip(path: string, reason: string | null, change: NotRestored['change'] = 'conflict'): void {
    this.#skipped.add(path)
    if (reason !== null) this.#left.push({ path, change, reason })
  }
}
