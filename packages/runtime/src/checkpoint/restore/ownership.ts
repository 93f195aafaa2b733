// Who changed a path between two scans: the run's own call, another run, or a command that the run left running in the background.
import { type Seen, sameImage } from '../content/image.ts'

/** `call`: names what it changes. `command`: may change anything in its folder. `background`: a command whose call has returned. */
export type Changer = 'call' | 'command' | 'background'

/** One path at both ends of a call, or of the time that a background command ran after its call. */
export interface PathChange {
  readonly by: Changer
  readonly before: Seen
  readonly after: Seen
}

/** `conflict`: more than one of them may have changed it, so a person decides. */
export type Owner = 'ours' | 'theirs' | 'background' | 'conflict'

/**
 * What other runs have to do with a change. `none`: nothing. `explained`: the calls that name the path account for all of it, so no command
 * had a part in it. `possible`: another run may have had a part in it.
 */
export type Involvement = 'none' | 'explained' | 'possible'

/** A foreground command beside a background command of the same run: either may have made the change. */
type OurPart = Changer | 'command_beside_background'

export const owners: Readonly<Record<OurPart, Readonly<Record<Involvement, Owner>>>> = {
  call: { none: 'ours', explained: 'ours', possible: 'conflict' },
  command: { none: 'ours', explained: 'theirs', possible: 'conflict' },
  command_beside_background: { none: 'conflict', explained: 'theirs', possible: 'conflict' },
  background: { none: 'background', explained: 'theirs', possible: 'conflict' },
}

/** `others`: what calls of other runs that overlapped changed at the same path, in the order of their beginning. */
export function ownerOf(ours: PathChange, others: readonly PathChange[], besideBackground: boolean): Owner {
  const part: OurPart = ours.by === 'command' && besideBackground ? 'command_beside_background' : ours.by
  return owners[part][involvement(ours, others)]
}

export function involvement(ours: PathChange, others: readonly PathChange[]): Involvement {
  if (others.length === 0) return 'none'
  if (ours.by === 'call') return others.every((other) => other.by !== 'call' && accountsFor([ours], other)) ? 'explained' : 'possible'
  const calls = others.filter(({ by }) => by === 'call')
  return calls.length > 0 && accountsFor(calls, ours) ? 'explained' : 'possible'
}

/** Whether these changes, one after another, lead from the beginning of the whole to its end with nothing in between. */
function accountsFor(changes: readonly PathChange[], whole: PathChange): boolean {
  let state = whole.before
  for (const { before, after } of changes) {
    if (!sameImage(state, before)) return false
    state = after
  }
  return sameImage(state, whole.after)
}
