// What the run's calls did to each path since a checkpoint, told apart from what others did in between.
import { isWithin, type Seeing, seenAt } from './coverage.ts'
import { type Image, leftAlone, type Seen, sameImage } from './image.ts'

/** One checkpoint and its call: the state before, and after. */
export interface Stage {
  /** The folder a command ran in; for other calls the folder of the run. */
  readonly root: string
  readonly before: Seeing
  readonly after: Seeing
  /** How the same places look now; only where a person asked for the checkpoint, for then everything since counts, not a call alone. */
  readonly now: Seeing | null
  /** Wall-clock time of the taking. */
  readonly taken_at: number
  /** The end of the call was not seen (a crash): `after` was looked at later, and may hold others' work. */
  readonly late: boolean
}

export interface Touched {
  /** As it was before the run first touched it: what a restore goes back to. */
  readonly target: Image | 'absent'
  /** As the run's last call left it. */
  readonly last: Seen
  /** When the call that first touched it began. */
  readonly taken_at: number
  /** Someone else changed it between two of the run's calls. */
  readonly changed_between: boolean
  /** An earlier checkpoint spoke for a folder above it and did not look at it: `target` is only how a later call found it. */
  readonly overlooked: boolean
  readonly late: boolean
}

/**
 * `stages` in order of time. A path the run never changed is none of a restore's business, whoever changed it; unless a person asked for the
 * checkpoint: then it is told, as a change of someone else.
 */
export function touchedPaths(stages: readonly Stage[]): Map<string, Touched> {
  const touched = new Map<string, Touched>()
  for (const [index, stage] of stages.entries()) {
    const began = new Set<string>()
    for (const path of stage.now ? changedSince(stage.before, stage.now, stages) : changedIn(stage)) {
      if (touched.has(path)) continue
      const before = seenAt(stage.before, path)
      const after = seenAt(stage.after, path)
      if (before === 'unseen' || after === 'unseen') continue
      began.add(path)
      const overlooked = stages.slice(0, index).some((earlier) => overlooks(earlier, path))
      touched.set(path, { target: before, last: after, taken_at: stage.taken_at, changed_between: false, overlooked, late: stage.late })
    }
    for (const [path, known] of touched) if (!began.has(path)) touched.set(path, followed(known, stage, path))
  }
  return touched
}

/** A command may change anything below its folder, a point on demand means all of it; a checkpoint of few paths speaks for those alone. */
function overlooks({ before, after, root }: Stage, path: string): boolean {
  const { trees, children } = before.coverage
  if (!(trees.includes(root) || children.includes(root)) || !isWithin(path, root)) return false
  return seenAt(before, path) === 'unseen' || seenAt(after, path) === 'unseen'
}

function followed(known: Touched, stage: Stage, path: string): Touched {
  const before = seenAt(stage.before, path)
  const after = seenAt(stage.after, path)
  // Who put it back to how it was loses nothing when that is done again.
  const isBack = sameImage(before, known.target)
  const changed = before !== 'unseen' && !isBack && !sameImage(before, known.last) && !leftAlone(known.last, before)
  const last = after === 'unseen' ? known.last : after
  const late = known.late || (stage.late && !sameImage(before, after))
  return { ...known, last, changed_between: known.changed_between || changed, late }
}

function* changedIn({ before, after }: Pick<Stage, 'before' | 'after'>): Generator<string> {
  for (const [path, was, is] of before.images.differences(after.images)) {
    if (!(was && is && sameImage(was, is))) yield path
  }
}

/** What is not as it was, whoever changed it, and what the run's calls changed. */
function* changedSince(before: Seeing, now: Seeing, stages: readonly Stage[]): Generator<string> {
  yield* changedIn({ before, after: now })
  for (const stage of stages) yield* changedIn(stage)
}
