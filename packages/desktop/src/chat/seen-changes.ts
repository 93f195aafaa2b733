// What the previews of several runs have in common: how many conflicts a restore of all of them would meet. Pure.
import type { WithdrawnMember } from '@tandem/contract/team'

export interface SeenChanges {
  /** Of the pages that are loaded. */
  readonly paths: readonly string[]
  /** Conflicts among these paths. */
  readonly conflicts: readonly string[]
  /** All conflicts, also of pages that are not loaded. */
  readonly count: number
  /** Paths that members of the team changed and that can be restored. */
  readonly ofMembers: number
}

/** The newest run is restored first: what it changed is no conflict for older ones. */
export function conflictsIn(seen: readonly SeenChanges[]): number {
  const restored = new Set<string>()
  let sum = 0
  for (const { paths, conflicts, count } of seen) {
    sum += count - conflicts.filter((path) => restored.has(path)).length
    for (const path of paths) restored.add(path)
  }
  return sum
}

export function pathsOf(members: readonly Pick<WithdrawnMember, 'checkpoint_id' | 'changed_paths'>[]): number {
  return members.reduce((sum, { checkpoint_id, changed_paths }) => sum + (checkpoint_id === null ? 0 : changed_paths), 0)
}
