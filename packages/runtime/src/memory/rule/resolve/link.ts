// Links that were recorded earlier: a correction names the memory that it corrects, and a cycle records what each memory superseded. Pure.
import type { ConflictPair } from './conflict.ts'
import { end, isDecidedAgainst, isKeptAgainst, type Standing } from './standing.ts'

/**
 * What a memory lists stays superseded, also when it was edited since and states something else now, unless the user decided for it. An
 * active memory gives way to a newer one that lists it. Returns the pairs in which that one ranks lower.
 */
export function followLinks(standings: ReadonlyMap<string, Standing>): readonly ConflictPair[] {
  const conflicts: ConflictPair[] = []
  for (const lister of standings.values()) {
    for (const id of lister.memory.supersedes) {
      const one = standings.get(id)
      // Equal statements are merged again in every cycle, and decisions are applied again.
      if (!one || one.key === lister.key || isKeptAgainst(one, lister.moment) || isDecidedAgainst(one.memory, one.verdict)) continue
      const { state, state_reason } = one.memory
      if (state_reason === 'decided') continue
      const isNewer = lister.moment > one.moment
      if (state === 'superseded') end(one, isNewer ? lister.moment : one.moment, lister.memory.id, state_reason ?? 'replaced')
      else if (isNewer && lister.rank >= one.rank) end(one, lister.moment, lister.memory.id, 'replaced')
      else if (isNewer) conflicts.push([id, lister.memory.id])
    }
  }
  return conflicts
}
