// The changes of runs, compared once and then shown in parts. In the checkpoint thread: comparing thousands of files takes a while.
import type { ChangedFile, DiffSlice } from '@tandem/contract/command'
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { hashFile } from '../content/file-reading.ts'
import { textOf } from '../content/file-text.ts'
import { repositoryOf } from '../content/repository.ts'
import { compare } from '../restore/comparison.ts'
import type { History } from '../restore/history.ts'
import { pageItems } from '../restore/page.ts'
import { bytesAt, isReadable, isSameContent, keptBytes, type Readable, sizeOf } from '../restore/readable-image.ts'
import { runningBehind } from '../restore/staged-restore.ts'
import { withFoldersOpen } from '../scan/disk.ts'
import { changedFiles, countChanges, type FileChange } from './changed-files.ts'
import { type DiffRows, diffRows, sliceOf } from './diff-rows.ts'

export interface ChangesRequest {
  /** The same id returns the parts of one comparison, as long as it is remembered. */
  readonly snapshot: string
  readonly history: History
}

export interface ChangesPageRequest extends ChangesRequest {
  readonly from: number
  readonly limit: number
  readonly lines: boolean
}

export interface ChangesPage {
  readonly counts: Record<ChangedFile['change'], number>
  readonly conflicts: number
  readonly repository_files: number
  readonly items: readonly ChangedFile[]
  readonly next: number | null
}

export interface ChangeDiffRequest extends ChangesRequest {
  readonly path: string
  readonly from: number
  readonly limit: number
}

export interface UndoPaths {
  /** The paths to restore to undo the changes of some files. */
  readonly paths: readonly string[]
  /** Of these, those that changed while background commands ran. */
  readonly background: readonly string[]
  /** How many of these commands are still running: the undo ends them. */
  readonly running: number
}

interface Snapshot {
  readonly changes: readonly FileChange[]
  readonly byPath: ReadonlyMap<string, FileChange>
  readonly repository_files: number
  readonly closed: readonly string[]
  readonly moved: ReadonlyMap<string, string>
  readonly diffs: Map<string, DiffRows | Extract<DiffSlice, { kind: 'none' }>>
}

/** Snapshots that are remembered, and diffs of each: enough for the files on the screen. */
const mostSnapshots = 4
const mostDiffs = 64
const fileBytes = 8 * 1024 * 1024
/** The number of lines is shown only for what is quick to compare. */
const countedBytes = 256 * 1024
const countedMilliseconds = 750
const hashedBytes = 4 * 1024 * 1024

export class ChangeSnapshots {
  readonly #keeper: CheckpointWriter
  readonly #known = new Map<string, Snapshot>()

  constructor(keeper: CheckpointWriter) {
    this.#keeper = keeper
  }

  page({ from, limit, lines, ...request }: ChangesPageRequest): ChangesPage {
    const snapshot = this.#snapshot(request)
    const { changes, repository_files } = snapshot
    const { items, next } = pageItems(changes, { from, limit })
    const until = this.#keeper.options.elapsed() + countedMilliseconds
    return {
      counts: countChanges(changes),
      conflicts: changes.filter(({ file }) => file.undo === 'conflict').length,
      repository_files,
      items: items.map((change) => (lines ? this.#withLines(snapshot, change, until) : change.file)),
      next,
    }
  }

  /** Null if the file did not change. */
  diff({ path, from, limit, ...request }: ChangeDiffRequest): DiffSlice | null {
    const snapshot = this.#snapshot(request)
    const change = snapshot.byPath.get(path)
    if (!change) return null
    const diff = this.#diffOf(snapshot, change)
    return 'rows' in diff ? sliceOf(diff, from, limit) : diff
  }

  undoPaths(request: ChangesRequest, paths: readonly string[]): UndoPaths {
    const { byPath } = this.#snapshot(request)
    const decisions = paths.flatMap((path) => {
      const change = byPath.get(path)
      return change ? [change.decision, ...(change.origin ? [change.origin] : [])] : []
    })
    return {
      paths: decisions.map(({ path }) => path),
      background: decisions.filter((one) => one.background).map(({ path }) => path),
      running: runningBehind(decisions).length,
    }
  }

  #snapshot({ snapshot, history }: ChangesRequest): Snapshot {
    const known = this.#known.get(snapshot)
    if (known) return known
    const keeper = this.#keeper
    const isListed = (path: string) => repositoryOf(path) === null
    const { decisions, closed, moved, notChosen } = compare(keeper, history, { insist: false, background: 'all', isChosen: isListed })
    const changes = changedFiles(decisions, (path) => hashOf(keeper, path))
    const byPath = new Map(changes.map((change) => [change.file.path, change]))
    const made: Snapshot = { changes, byPath, repository_files: notChosen, closed, moved, diffs: new Map() }
    forgetOldest(this.#known, mostSnapshots)
    this.#known.set(snapshot, made)
    return made
  }

  #withLines(snapshot: Snapshot, change: FileChange, until: number): ChangedFile {
    const { file } = change
    const bytes = (file.size.before ?? 0) + (file.size.after ?? 0)
    if (!snapshot.diffs.has(file.path) && (bytes > countedBytes || this.#keeper.options.elapsed() > until)) return file
    const diff = this.#diffOf(snapshot, change)
    return 'rows' in diff ? { ...file, lines: { added: diff.added, removed: diff.removed } } : file
  }

  #diffOf(snapshot: Snapshot, change: FileChange): DiffRows | Extract<DiffSlice, { kind: 'none' }> {
    const { path } = change.file
    const known = snapshot.diffs.get(path)
    if (known) return known
    const diff = withFoldersOpen(snapshot.closed, () => this.#compareTexts(snapshot, change))
    forgetOldest(snapshot.diffs, mostDiffs)
    snapshot.diffs.set(path, diff)
    return diff
  }

  #compareTexts({ moved }: Snapshot, { decision, origin }: FileChange): DiffRows | Extract<DiffSlice, { kind: 'none' }> {
    const source = origin ?? decision
    const { now } = decision
    const { to } = source
    if (!isReadable(now) || !isReadable(to)) return none('unreadable')
    if (isSameContent(now, to)) return none('permissions_only')
    if (sizeOf(now) > fileBytes || sizeOf(to) > fileBytes) return none('too_large')
    const after = bytesAt(decision.path, now, fileBytes)
    const before = this.#before(source.path, to, moved)
    if (!before || !after) return none('unreadable')
    const [left, right] = [textOf(before), textOf(after)]
    if (left === null || right === null) return none('binary')
    if (left === right) return none(before.equals(after) ? 'permissions_only' : 'same_text')
    return diffRows(left, right)
  }

  #before(path: string, to: Readable, moved: ReadonlyMap<string, string>): Buffer | null {
    const from = moved.get(path)
    return from !== undefined && to !== 'absent' ? bytesAt(from, to, fileBytes) : keptBytes(this.#keeper.contents, to)
  }
}

function none(why: Extract<DiffSlice, { kind: 'none' }>['why']): Extract<DiffSlice, { kind: 'none' }> {
  return { kind: 'none', why }
}

function hashOf(keeper: CheckpointWriter, path: string): string | null {
  const hashed = hashFile(path, keeper.options.now)
  return hashed && hashed.size <= hashedBytes ? hashed.sha256 : null
}

function forgetOldest(known: Map<string, unknown>, most: number): void {
  if (known.size < most) return
  const [oldest] = known.keys()
  if (oldest !== undefined) known.delete(oldest)
}
