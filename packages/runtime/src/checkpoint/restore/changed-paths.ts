// What the run did to each path since a checkpoint: its calls, and the background commands they started. Changes of others are separate.
import { isInside } from '../../path/inside.ts'
import { type Image, isUnchangedBetween, type ScannedPath, sameImage } from '../content/image.ts'
import { type CoveredImages, seenAt, wasScanned } from '../scan/coverage.ts'
import { type ChangeSource, ownerOf, type PathChange } from './ownership.ts'

/** The time between two scans. Scans are numbered. */
export interface ScanInterval {
  readonly from: number
  readonly to: number
}

/** One checkpoint and its call: the state before, and after. */
export interface CheckpointStage extends ScanInterval {
  /** The folder a command ran in; for other calls, the folder of the run. */
  readonly root: string
  readonly by: Exclude<ChangeSource, 'background'>
  readonly before: CoveredImages
  readonly after: CoveredImages
  /**
   * The current state of the same paths; only if a user requested the checkpoint, because then everything since counts, not only a call.
   */
  readonly now: CoveredImages | null
  /** Wall-clock time when it was taken. */
  readonly taken_at: number
  /** The end of the call was not seen (a crash): `after` was scanned later, and may include changes of others. */
  readonly late: boolean
}

/** A background command, from the return of its call to the end of its processes. */
export interface BackgroundSpan extends ScanInterval {
  readonly checkpoint_id: string
  readonly before: CoveredImages
  readonly after: CoveredImages
  readonly taken_at: number
  /** It was started before the checkpoint: what only it changed since is not known to have been different then. */
  readonly earlier: boolean
}

/** What a call or a background command of another run changed. */
export interface OtherRunInterval extends ScanInterval {
  readonly by: ChangeSource
  /** Null if the states are not known: it may have changed any path that it `touches`. */
  readonly seen: { readonly before: CoveredImages; readonly after: CoveredImages } | null
  touches(path: string): boolean
}

/** A time in which the run may have changed these paths; it is not known how. */
export interface HistoryGap extends ScanInterval {
  touches(path: string): boolean
}

export interface ChangedPath {
  /** The state before the run first changed it: what a restore restores. */
  readonly target: Image | 'absent'
  /** The state in which the run's last call left it. */
  readonly last: ScannedPath
  /** When the call that first changed it started. */
  readonly taken_at: number
  /** Someone else changed it between two calls of the run. */
  readonly changed_between: boolean
  /** Who may have changed it at the same time as a call of the run. */
  readonly contested: 'other_run' | 'background' | null
  /** Changed while a background command of the run was running, and no call of the run was. */
  readonly background: boolean
  /** The checkpoints of background commands that are still running and may have changed it. */
  readonly running: readonly string[]
  /** An earlier checkpoint covered a parent folder but did not scan this path: `target` is only what a later call found. */
  readonly overlooked: boolean
  /** The run may have changed it in a gap, whatever its calls before and after show. */
  readonly in_gap?: true
  readonly late: boolean
}

/**
 * `stages` in order of time. A restore ignores a path that the run never changed, whoever changed it; unless a user requested the
 * checkpoint: then it is listed as a change by someone else.
 */
export function changedPaths(
  stages: readonly CheckpointStage[],
  backgrounds: readonly BackgroundSpan[] = [],
  others: readonly OtherRunInterval[] = [],
  gaps: readonly HistoryGap[] = [],
): Map<string, ChangedPath> {
  const touched = new Map<string, ChangedPath>()
  const running = new Set(backgrounds)

  /** Null if the run had no part in it. */
  function claim(path: string, change: PathChange, span: ScanInterval): Pick<ChangedPath, 'contested' | 'background' | 'running'> | null {
    const beside = backgrounds.some((background) => overlap(background, span))
    const theirs = changesAt(path, others, span, change)
    const owner = ownerOf(change, theirs, beside)
    if (owner === 'theirs') return null
    const rival = theirs.length > 0 ? 'other_run' : 'background'
    const background = change.by === 'background'
    return { contested: owner === 'conflict' ? rival : null, background, running: background ? stillRunning(span) : [] }
  }

  function stillRunning(span: ScanInterval): readonly string[] {
    return backgrounds.filter((one) => one.to === Number.POSITIVE_INFINITY && overlap(one, span)).map(({ checkpoint_id }) => checkpoint_id)
  }

  /** What happened between the run's calls to a path that the run changed before. */
  function found(known: ChangedPath, path: string, is: ScannedPath, to: number): ChangedPath {
    // If someone restored the original state, restoring it again loses nothing.
    const changed = is !== 'unseen' && !sameImage(is, known.target) && !sameImage(is, known.last) && !isUnchangedBetween(known.last, is)
    if (!changed) return known
    const beside = [...running].filter(({ from }) => from < to)
    const span = { from: Math.min(...beside.map(({ from }) => from)), to }
    const claimed = beside.length > 0 ? claim(path, { by: 'background', before: known.last, after: is }, span) : null
    if (!claimed) return { ...known, changed_between: true }
    const both = [...new Set([...known.running, ...claimed.running])]
    return { ...known, background: true, running: both, contested: claimed.contested ?? known.contested }
  }

  /** A path that a background command had changed before a call of the run did. */
  function changedBefore(path: string, is: ScannedPath, to: number): ChangedPath | null {
    for (const { before: seeing, from, earlier, taken_at } of running) {
      const before = seenAt(seeing, path)
      if (earlier || from >= to || before === 'unseen' || sameImage(before, is)) continue
      const claimed = claim(path, { by: 'background', before, after: is }, { from, to })
      if (claimed) return { target: before, last: is, taken_at, changed_between: false, ...claimed, overlooked: false, late: false }
    }
    return null
  }

  function passStage(stage: CheckpointStage, index: number): void {
    const began = new Set<string>()
    for (const path of stage.now ? changedSince(stage.before, stage.now, stages) : changedIn(stage)) {
      if (touched.has(path)) continue
      const before = seenAt(stage.before, path)
      const after = seenAt(stage.after, path)
      if (before === 'unseen' || after === 'unseen') continue
      const earlier = stage.now ? null : changedBefore(path, before, stage.from)
      if (earlier) {
        touched.set(path, earlier)
        continue
      }
      const claimed = stage.now ? uncontested : claim(path, { by: stage.by, before, after }, stage)
      if (!claimed) continue
      began.add(path)
      const overlooked = stages.slice(0, index).some((earlier) => overlooks(earlier, path)) || isHidden(path, before, stage)
      const { taken_at, late } = stage
      touched.set(path, { target: before, last: after, taken_at, changed_between: false, ...claimed, overlooked, late })
    }
    for (const [path, known] of touched) if (!began.has(path)) touched.set(path, followed(known, stage, path))
  }

  /** A gap may hide what it was before, unless a scan before the gap found the same. */
  function isHidden(path: string, before: ScannedPath, { from }: ScanInterval): boolean {
    const gap = gaps.find((one) => one.from < from && one.touches(path))
    return gap !== undefined && !stages.some(({ to, after }) => to <= gap.from && sameImage(seenAt(after, path), before))
  }

  function followed(earlier: ChangedPath, stage: CheckpointStage, path: string): ChangedPath {
    const before = seenAt(stage.before, path)
    const after = seenAt(stage.after, path)
    const known = found(earlier, path, before, stage.from)
    if (after === 'unseen') return { ...known, late: known.late || (stage.late && before !== 'unseen') }
    if (sameImage(before, after)) return { ...known, last: after }
    const claimed = before === 'unseen' ? null : claim(path, { by: stage.by, before, after }, stage)
    if (before !== 'unseen' && !claimed) return { ...known, last: after, changed_between: true }
    return { ...known, last: after, late: known.late || stage.late, contested: claimed?.contested ?? known.contested }
  }

  function passEnd(background: BackgroundSpan): void {
    // A call that was running when the process ended: what the process changed is attributed to the call, because no one can tell.
    const during = stages.filter((stage) => stage.from < background.to && background.to < stage.to)
    const isOfCall = (path: string) => during.some(({ before, after }) => !sameImage(seenAt(before, path), seenAt(after, path)))
    for (const [path, known] of touched) {
      const after = seenAt(background.after, path)
      if (after === 'unseen' || isOfCall(path)) continue
      touched.set(path, { ...found(known, path, after, background.to), last: after })
    }
    running.delete(background)
    if (background.earlier) return
    for (const path of changedIn(background)) {
      if (touched.has(path)) continue
      const before = seenAt(background.before, path)
      const after = seenAt(background.after, path)
      if (before === 'unseen' || after === 'unseen') continue
      const claimed = claim(path, { by: 'background', before, after }, background)
      if (!claimed) continue
      const { taken_at } = background
      touched.set(path, { target: before, last: after, taken_at, changed_between: false, ...claimed, overlooked: false, late: false })
    }
  }

  const moments = [
    ...stages.map((stage, index) => ({ at: stage.to, pass: () => passStage(stage, index) })),
    ...backgrounds.map((background) => ({ at: endOf(background, stages), pass: () => passEnd(background) })),
  ]
  // Both lists are in order of time: at the same moment, the stage comes first.
  for (const { pass } of moments.toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0))) pass()
  for (const [path, known] of touched) if (gaps.some((gap) => gap.touches(path))) touched.set(path, { ...known, in_gap: true })
  return touched
}

const uncontested = { contested: null, background: false, running: [] } as const

/** If a call was running, its end comes first. */
function endOf({ to }: ScanInterval, stages: readonly CheckpointStage[]): number {
  return stages.find((stage) => stage.from < to && to < stage.to)?.to ?? to
}

function overlap(one: ScanInterval, other: ScanInterval): boolean {
  return one.from < other.to && other.from < one.to
}

/** What other runs changed at the path during ours. Of a longer span, only the common time counts: our scan is in between. */
function changesAt(path: string, others: readonly OtherRunInterval[], span: ScanInterval, ours: PathChange): PathChange[] {
  return others.flatMap((other): PathChange[] => {
    if (!overlap(other, span)) return []
    if (!other.seen) return other.touches(path) ? [{ by: other.by, before: 'unseen', after: 'absent' }] : []
    const [first, last] = [seenAt(other.seen.before, path), seenAt(other.seen.after, path)]
    if (first === 'unseen' || last === 'unseen') return []
    const before = other.from < span.from ? ours.before : first
    const after = other.to > span.to ? ours.after : last
    return sameImage(before, after) ? [] : [{ by: other.by, before, after }]
  })
}

/**
 * A command may change anything below its folder, and a point on demand covers all of it; a checkpoint of a few paths covers only those.
 */
function overlooks({ before, after, root }: CheckpointStage, path: string): boolean {
  const { trees, children } = before.coverage
  if (!(trees.includes(root) || children.includes(root)) || !isInside(path, root)) return false
  return !wasScanned(before, path) || !wasScanned(after, path)
}

function* changedIn({ before, after }: Pick<CheckpointStage, 'before' | 'after'>): Generator<string> {
  for (const [path, was, is] of before.images.differences(after.images)) {
    if (!(was && is && sameImage(was, is))) yield path
  }
}

/** What differs now, whoever changed it, and what the run's calls changed. */
function* changedSince(before: CoveredImages, now: CoveredImages, stages: readonly CheckpointStage[]): Generator<string> {
  yield* changedIn({ before, after: now })
  for (const stage of stages) yield* changedIn(stage)
}
