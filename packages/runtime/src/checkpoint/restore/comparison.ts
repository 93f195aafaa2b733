// Compares the checkpoints with the current state: the list that a preview shows and a restore applies.
import { dirname, sep } from 'node:path'
import type { BackgroundSelection, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import { isInside } from '../../path/inside.ts'
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { hashFile } from '../content/file-reading.ts'
import { type FileImage, isUnchanged, type ScannedPath, sameImage } from '../content/image.ts'
import { Images } from '../content/images.ts'
import { keepRepositoriesWhole } from '../content/repository.ts'
import { seenAt } from '../scan/coverage.ts'
import { DiskView, withFoldersOpen } from '../scan/disk.ts'
import { walk } from '../scan/walk.ts'
import { type ChangedPath, type CheckpointStage, changedPaths } from './changed-paths.ts'
import { checkFolders, withParentFolders } from './folders.ts'
import { type History, loadHistory } from './history.ts'
import { isPermissionsOnly, withLostAttributes } from './losses.ts'
import { decideRestore, type RestoreDecision } from './restore-rule.ts'

export interface Comparison {
  readonly root: string
  readonly decisions: readonly RestoreDecision[]
  /** Folders that are closed now and were not before: a restore opens them temporarily. */
  readonly closed: readonly string[]
  /** Where contents are that were not stored but only moved. */
  readonly moved: ReadonlyMap<string, string>
  /** Changed while background commands ran, and not selected: a restore leaves these untouched. */
  readonly unselected: readonly RestoreDecision[]
  /** Changed, and not chosen. */
  readonly notChosen: number
}

export interface ComparisonOptions {
  /** Conflicts are overwritten. */
  readonly insist: boolean
  readonly background: BackgroundSelection
  /** Only these paths, and folders that are removed because they become empty; all of them by default. */
  isChosen?(path: string): boolean
}

export function compare(keeper: CheckpointWriter, history: History, { insist, background, isChosen }: ComparisonOptions): Comparison {
  const { stages, backgrounds, others, gaps } = loadHistory(keeper, history)
  const touched = changedPaths(stages, backgrounds, others, gaps)
  const closed = [...touched].filter(([, { target }]) => target !== 'absent' && target.type === 'directory').map(([path]) => path)
  return withFoldersOpen(closed, (modes) => {
    const view = new DiskView()
    const now = new Map<string, ScannedPath>()
    for (const [path, known] of touched) now.set(path, present(keeper, view, path, known))
    // While a folder is opened temporarily, its original mode counts.
    for (const [path, mode] of modes) {
      const folder = now.get(path)
      if (folder && typeof folder !== 'string' && folder.type === 'directory') now.set(path, { ...folder, mode })
    }
    const moves = movedContents(touched, now)
    const around = {
      isKept: (image: FileImage) => (image.content !== null && keeper.contents.holds(image.content)) || moves.byIno.has(keyOf(image)),
      wasMoved: (image: FileImage) => moves.gone.has(image.ino),
    }
    const all = [...touched].flatMap(([path, known]) => decideRestore(path, known, now.get(path) ?? 'absent', around) ?? [])
    const unselected = all.filter((decision) => decision.background && !isSelected(background, decision.path))
    const untouched = new Set(unselected.map(({ path }) => path))
    const selected = all.filter(({ path }) => !untouched.has(path))
    const each = isChosen ? chosenOf(selected, isChosen) : selected
    const ours = new Map([...touched].filter(([path]) => !untouched.has(path)))
    const whole = keepRepositoriesWhole(each, (repository) => changedByOthers(keeper, stages, ours, repository))
    const checked = checkFolders(whole, insist, view).filter(({ path, hindrance }) => !hindrance || (isChosen?.(path) ?? true))
    const possible = withParentFolders(checked, insist, view, keeper.options.now())
    const decisions = possible.toSorted((left, right) => (left.path < right.path ? -1 : 1))
    const moved = new Map<string, string>()
    for (const { path, to } of decisions) {
      const from = to !== 'absent' && to.type === 'file' && to.content === null ? moves.byIno.get(keyOf(to)) : undefined
      if (from !== undefined) moved.set(path, from)
    }
    return {
      root: stages[0]?.root ?? sep,
      decisions: decisions.map((decision) => withLostAttributes(decision, moved)),
      closed,
      moved,
      unselected,
      notChosen: isChosen ? selected.filter(({ path }) => !isChosen(path)).length : 0,
    }
  })
}

/** A folder that was created for a chosen file is removed with it, if nothing else is left in it. */
function chosenOf(decisions: readonly RestoreDecision[], isChosen: (path: string) => boolean): RestoreDecision[] {
  const chosen = decisions.filter(({ path }) => isChosen(path))
  const above = new Set<string>()
  for (const { path } of chosen) {
    for (let folder = dirname(path); !above.has(folder) && folder !== dirname(folder); folder = dirname(folder)) above.add(folder)
  }
  const isEmptied = ({ path, now, to }: RestoreDecision) =>
    to === 'absent' && now !== 'absent' && now.type === 'directory' && above.has(path) && !isChosen(path)
  return [...chosen, ...decisions.filter(isEmptied)]
}

/** A folder includes everything in it. */
function isSelected(selection: BackgroundSelection, path: string): boolean {
  if (typeof selection === 'string') return selection === 'all'
  return selection.some((selected) => isInside(path, selected))
}

export function toEntry({ path, now, to, change, hindrance, lost = [], background, running }: RestoreDecision): RestorePreviewEntry {
  const shown = to === 'absent' ? now : to
  const type = shown === 'absent' ? 'absent' : shown.type === 'special' ? 'file' : shown.type
  const group = background ? { background, ...(running ? { running: true as const } : {}) } : {}
  const losses = lost.length > 0 ? { lost: [...lost] } : {}
  if (!hindrance) return { path, type, change, ...losses, ...group }
  const { change: why, reason } = hindrance
  return why === 'conflict' ? { path, type, change: why, reason, ...losses, ...group } : { path, type, change: why, reason, ...group }
}

export function countEntries(entries: readonly RestorePreviewEntry[]): RestoreCounts {
  const counts = { created: 0, changed: 0, deleted: 0, conflict: 0, unrecoverable: 0 }
  for (const { change } of entries) counts[change] += 1
  return counts
}

/** Reads a file only if its times show that it may have changed and its size that it may not. */
function present(keeper: CheckpointWriter, view: DiskView, path: string, { target, last }: ChangedPath): ScannedPath {
  const found = view.seenAt(path)
  if (typeof found === 'string' || found.type !== 'file') return found
  if (typeof last !== 'string' && last.type === 'file' && isUnchanged(last, found)) return last
  const comparable = (image: ScannedPath) =>
    typeof image !== 'string' && image.type === 'file' && image.size === found.size && image.sha256 !== null
  if (!comparable(target) && !comparable(last)) return found
  const hashed = hashFile(path, keeper.options.now)
  return hashed ? { ...hashed, mode: found.mode } : found
}

interface Moves {
  readonly gone: ReadonlySet<number>
  readonly byIno: ReadonlyMap<string, string>
}

/** A file that was renamed, or whose permissions alone changed, keeps its inode, size and modification time. */
function movedContents(touched: ReadonlyMap<string, ChangedPath>, now: ReadonlyMap<string, ScannedPath>): Moves {
  const gone = new Set<number>()
  const byIno = new Map<string, string>()
  for (const [path, { target }] of touched) {
    if (target !== 'absent' && target.type === 'file') gone.add(target.ino)
    const here = now.get(path)
    if (!here || typeof here === 'string' || here.type !== 'file') continue
    if (target === 'absent' || isPermissionsOnly(here, target)) byIno.set(keyOf(here), path)
  }
  return { gone, byIno }
}

function keyOf({ ino, size, mtime }: FileImage): string {
  return `${ino}:${size}:${mtime}`
}

/** Anything in the repository that is neither as the run left it nor as it was. */
function changedByOthers(
  keeper: CheckpointWriter,
  stages: readonly CheckpointStage[],
  touched: ReadonlyMap<string, ChangedPath>,
  repository: string,
): boolean {
  const { home, elapsed } = keeper.options
  const budget = { files: 200_000, ms: 30_000 }
  const known = new Images()
  for (const { before, after } of stages) {
    for (const images of [before.images, after.images]) {
      for (const [path, image] of images) if (path.startsWith(repository + sep)) known.set(path, image)
    }
    for (const path of [...known.keys()]) if (seenAt(after, path) === 'absent') known.delete(path)
  }
  const { images } = walk([repository], { home, known, budget, elapsed, canceled: () => false })
  for (const [path, image] of images) {
    if (path === repository || touched.has(path)) continue
    const before = known.get(path)
    if (!before || !sameImage(before, image)) {
      if (before?.type !== 'file' || image.type !== 'file' || before.size !== image.size || before.mode !== image.mode) return true
      if (before.sha256 === null || hashFile(path, keeper.options.now)?.sha256 !== before.sha256) return true
    }
  }
  for (const path of known.keys()) if (!images.has(path) && !touched.has(path)) return true
  return false
}
