// Who changed a path between two scans: the run's own call, another run, or a command that the run left running in the background.
import { type ScannedPath, sameImage } from '../content/image.ts'

/** `call`: names what it changes. `command`: may change anything in its folder. `background`: a command whose call has returned. */
export type ChangeSource = 'call' | 'command' | 'background'

/** One path before and after a call, or before and after the time that a background command ran after its call. */
export interface PathChange {
  readonly by: ChangeSource
  readonly before: ScannedPath
  readonly after: ScannedPath
}

/** `conflict`: more than one of them may have changed it, so the user decides. */
export type Owner = 'ours' | 'theirs' | 'background' | 'conflict'

/**
 * The part of other runs in a change. `none`: nothing. `explained`: the calls that name the path account for all of it, so no command
 * contributed. `possible`: another run may have contributed.
 */
export type OtherRunsInvolvement = 'none' | 'explained' | 'possible'

/** A foreground command while a background command of the same run was running: either may have made the change. */
type OurPart = ChangeSource | 'command_beside_background'

export const owners: Readonly<Record<OurPart, Readonly<Record<OtherRunsInvolvement, Owner>>>> = {
  call: { none: 'ours', explained: 'ours', possible: 'conflict' },
  command: { none: 'ours', explained: 'theirs', possible: 'conflict' },
  command_beside_background: { none: 'conflict', explained: 'theirs', possible: 'conflict' },
  background: { none: 'background', explained: 'theirs', possible: 'conflict' },
}

/** `others`: what overlapping calls of other runs changed at the same path, ordered by their start. */
export function ownerOf(ours: PathChange, others: readonly PathChange[], besideBackground: boolean): Owner {
  const part: OurPart = ours.by === 'command' && besideBackground ? 'command_beside_background' : ours.by
  return owners[part][involvement(ours, others)]
}

export function involvement(ours: PathChange, others: readonly PathChange[]): OtherRunsInvolvement {
  if (others.length === 0) return 'none'
  if (ours.by === 'call') return others.every((other) => other.by !== 'call' && accountsFor([ours], other)) ? 'explained' : 'possible'
  const calls = others.filter(({ by }) => by === 'call')
  return calls.length > 0 && accountsFor(calls, ours) ? 'explained' : 'possible'
}

/** Whether these changes, one after another, lead from the start of the whole change to its end without gaps. */
function accountsFor(changes: readonly PathChange[], whole: PathChange): boolean {
  let state = whole.before
  for (const { before, after } of changes) {
    if (!sameImage(state, before)) return false
    state = after
  }
  return sameImage(state, whole.after)
}
