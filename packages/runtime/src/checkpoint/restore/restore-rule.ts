// What a restore may do to one path. A pure function: everything it needs was read before.
import type { RestoreChange } from '@tandem/contract/checkpoint'
import { type FileImage, type Image, type ScannedPath, sameContent, sameImage } from '../content/image.ts'
import type { ChangedPath } from './changed-paths.ts'

export type RestoreChangeKind = Extract<RestoreChange, 'created' | 'changed' | 'deleted'>

export interface RestoreDecision {
  readonly path: string
  readonly now: Image | 'absent'
  readonly to: Image | 'absent'
  /** What happened to the path; it determines what a restore would do. */
  readonly change: RestoreChangeKind
  /** Why it is not simply restored; with `conflict`, the user may overwrite. */
  readonly hindrance: Obstacle | null
  /** What is lost when it is restored, and why. */
  readonly lost?: readonly string[]
  /** Changed while a background command ran: it is restored only if it is selected. */
  readonly background?: true
  /** The checkpoints of background commands that are still running and may have changed it: restoring it ends them first. */
  readonly running?: readonly string[]
}

export interface Obstacle {
  readonly change: 'conflict' | 'unrecoverable'
  readonly reason: string
}

export interface RestoreConditions {
  /** Whether the content of a file is still stored. */
  isKept(image: FileImage): boolean
  /** Whether this file existed before under another name. */
  wasMoved(image: FileImage): boolean
}

/** A file created this much before a call was not created by it; file system clocks are slightly off. */
const bornBefore = 2_000

/** Null if there is nothing to do. */
export function decideRestore(path: string, touched: ChangedPath, now: ScannedPath, around: RestoreConditions): RestoreDecision | null {
  const { target: to } = touched
  const { running } = touched
  const group = touched.background ? { background: true as const, ...(running.length > 0 ? { running } : {}) } : {}
  if (now === 'unseen') {
    const hindrance = { change: 'unrecoverable', reason: 'it cannot be read now; make its folder readable' } as const
    return { path, now: 'absent', to, change: changeOf('absent', to), hindrance, ...group }
  }
  if (sameImage(now, to)) return null
  return { path, now, to, change: changeOf(now, to), hindrance: impossible(touched, now, around) ?? contested(touched, now), ...group }
}

function changeOf(now: Image | 'absent', to: Image | 'absent'): RestoreChangeKind {
  if (to === 'absent') return 'created'
  return now === 'absent' ? 'deleted' : 'changed'
}

function impossible({ target: to, taken_at }: ChangedPath, now: Image | 'absent', around: RestoreConditions): Obstacle | null {
  const never = (reason: string): Obstacle => ({ change: 'unrecoverable', reason })
  if (to !== 'absent' && to.type === 'special') return never('pipes, sockets and devices are not saved')
  if (now !== 'absent' && now.type === 'special')
    return never('it is now a pipe, a socket or a device, which cannot be saved; remove it yourself')
  if (to === 'absent' && now !== 'absent' && now.type === 'file' && now.born < taken_at - bornBefore && !around.wasMoved(now)) {
    return never('it is older than the recovery point: it was moved here from a folder that the recovery point does not cover')
  }
  if (to === 'absent' || to.type !== 'file' || around.isKept(to)) return null
  if (now !== 'absent' && now.type === 'file' && sameContent(to, now)) return null
  return never(to.content === null ? `its content was not saved (${to.size} bytes)` : 'its saved content was deleted with a recovery point')
}

function contested(touched: ChangedPath, now: Image | 'absent'): Obstacle | null {
  const { last, changed_between, background, running, overlooked, in_gap, late } = touched
  const asks = (reason: string): Obstacle => ({ change: 'conflict', reason })
  const isChanged = changed_between || (running.length === 0 && !sameImage(now, last))
  if (isChanged && in_gap) return asks('a call of this run whose changes are not known, or someone else, has changed it since then')
  // A background command that is still running may change it at any moment, also between two looks at it.
  if (running.length === 0 && !sameImage(now, last))
    return asks(now === 'absent' ? 'it was removed outside this run since then' : 'it was changed outside this run since then')
  if (changed_between) return asks('it was changed outside this run, between two of its calls')
  if (touched.contested === 'other_run') return asks('another run may have changed it at the same time')
  // Selecting a change made while a background command ran covers it, whichever of the two made it.
  if (touched.contested === 'background' && !background) return asks('a background command was running and may have changed it')
  if (overlooked) return asks('only its state at a later call was saved; its state at the recovery point is unknown')
  // Restoring something that is missing overwrites nothing.
  if (late && now !== 'absent') return asks('the end of the call was not seen, so the change may come from outside this run')
  return null
}
