// What a restore may do to one path. Pure: everything it needs to know was looked at before.
import type { RestoreChange } from '@tandem/contract/checkpoint'
import { type FileImage, type Image, type Seen, sameContent, sameImage } from '../content/image.ts'
import type { Touched } from './touched.ts'

export type Reachable = Extract<RestoreChange, 'created' | 'changed' | 'deleted'>

export interface RestoreDecision {
  readonly path: string
  readonly now: Image | 'absent'
  readonly to: Image | 'absent'
  /** What happened to the path; what a restore would do follows from it. */
  readonly change: Reachable
  /** Why it is not simply done; with `conflict` a person may insist. */
  readonly hindrance: Hindrance | null
  /** What does not come back with it, and why. */
  readonly lost?: readonly string[]
  /** Changed while a background command ran: it is restored only if it is selected. */
  readonly background?: true
}

export interface Hindrance {
  readonly change: 'conflict' | 'unrecoverable'
  readonly reason: string
}

export interface Surroundings {
  /** Whether a file's content is still kept. */
  isKept(image: FileImage): boolean
  /** Whether a file that was there before, under another name, is this one now. */
  wasMoved(image: FileImage): boolean
}

/** A file born this much before a call was not made by it; clocks of disks are a little off. */
const bornBefore = 2_000

/** Null where there is nothing to do. */
export function decide(path: string, touched: Touched, now: Seen, around: Surroundings): RestoreDecision | null {
  const { target: to } = touched
  const group = touched.background ? { background: true as const } : {}
  if (now === 'unseen') {
    const hindrance = { change: 'unrecoverable', reason: 'it may not be read now; make its folder readable' } as const
    return { path, now: 'absent', to, change: changeOf('absent', to), hindrance, ...group }
  }
  if (sameImage(now, to)) return null
  return { path, now, to, change: changeOf(now, to), hindrance: impossible(touched, now, around) ?? contested(touched, now), ...group }
}

function changeOf(now: Image | 'absent', to: Image | 'absent'): Reachable {
  if (to === 'absent') return 'created'
  return now === 'absent' ? 'deleted' : 'changed'
}

function impossible({ target: to, taken_at }: Touched, now: Image | 'absent', around: Surroundings): Hindrance | null {
  const never = (reason: string): Hindrance => ({ change: 'unrecoverable', reason })
  if (to !== 'absent' && to.type === 'special') return never('pipes, sockets and devices are not kept')
  if (now !== 'absent' && now.type === 'special')
    return never('it is a pipe, a socket or a device now, which can not be kept; remove it yourself')
  if (to === 'absent' && now !== 'absent' && now.type === 'file' && now.born < taken_at - bornBefore && !around.wasMoved(now)) {
    return never('it is older than the checkpoint: it was brought here from a place the checkpoint did not look at')
  }
  if (to === 'absent' || to.type !== 'file' || around.isKept(to)) return null
  if (now !== 'absent' && now.type === 'file' && sameContent(to, now)) return null
  return never(`its content was not kept (${to.size} bytes)`)
}

function contested(touched: Touched, now: Image | 'absent'): Hindrance | null {
  const { last, changed_between, background, overlooked, late } = touched
  const asks = (reason: string): Hindrance => ({ change: 'conflict', reason })
  if (!sameImage(now, last)) return asks(now === 'absent' ? 'someone else removed it since' : 'someone else changed it since')
  if (changed_between) return asks('someone else changed it between two calls of the run')
  if (touched.contested === 'other_run') return asks('another run may have changed it at the same time')
  // Who selects what changed while a background command ran means it, whichever of the two changed it.
  if (touched.contested === 'background' && !background) return asks('a background command was running and may have changed it')
  if (overlooked) return asks('what is kept is how a later call found it; whether it was so at the checkpoint nobody saw')
  // Bringing back what is gone harms nobody.
  if (late && now !== 'absent') return asks('the end of the call was not seen, so this may be the work of someone else')
  return null
}
