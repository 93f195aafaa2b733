import type { Memory } from '@tandem/contract/memory'

/** Both sides of a conflict name each other: only the first of them, so that each conflict is shown once. */
export function oncePerConflict(memories: readonly Pick<Memory, 'id' | 'conflicts_with'>[]): readonly string[] {
  const shown = new Set<string>()
  const first: string[] = []
  for (const { id, conflicts_with } of memories) {
    if (!shown.has(id)) first.push(id)
    for (const one of [id, ...conflicts_with]) shown.add(one)
  }
  return first
}
