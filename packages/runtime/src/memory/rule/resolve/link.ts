// Links that were recorded earlier: a correction names the memory that it corrects, and a cycle records what each memory superseded. Pure.
import type { ConflictPair } from './conflict.ts'
import { end, isDecidedAgainst, isKeptAgainst, type Standing } from './standing.ts'

/** Memories that a newer one lists stay superseded, unless the user decided for them. Returns the pairs in which the newer one ranks lower. */
export function followLinks(standings: ReadonlyMap<string, Standing>): readonly ConflictPair[] {
  const conflicts: ConflictPair[] = []
  for (const newer of standings.values()) {
    for (const id of newer.memory.supersedes) {
      const one = standings.get(id)
      if (!one || one.moment >= newer.moment || one.key === newer.key || isKeptAgainst(one, newer.moment)) continue
      if (isDecidedAgainst(one.memory, one.verdict)) continue
      const { state, state_reason } = one.memory
      if (state === 'superseded' || newer.rank >= one.rank) {
        end(one, newer.moment, newer.memory.id, state === 'superseded' ? (state_reason ?? 'replaced') : 'replaced')
      } else conflicts.push([id, newer.memory.id])
    }
  }
  return conflicts
}
