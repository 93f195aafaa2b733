// The user's split of entities that were wrongly merged. It is kept beside the entities and applied before every merge, so it lasts. Pure.
import type { MergeableEntity } from './entities.ts'
import { foldName } from './names.ts'

/** Ids of stored entities: those of one part are one entity, those of different parts are never one. */
export interface EntitySplit {
  readonly parts: readonly (readonly string[])[]
}

export type SplitResult =
  | { readonly ok: true; readonly split: EntitySplit }
  | { readonly ok: false; readonly code: 'not_a_partition'; readonly message: string }

/** Splits a merged node. `parts` must name each of its entities once; there must be at least two. */
export function splitEntity(node: MergeableEntity, parts: readonly (readonly string[])[]): SplitResult {
  const named = parts.flat().sort()
  const sources = [...(node.source_entity_ids ?? [node.id])].sort()
  const covers = named.length === sources.length && named.every((id, index) => id === sources[index])
  if (covers && parts.length > 1 && parts.every((part) => part.length > 0)) return { ok: true, split: { parts } }
  return {
    ok: false,
    code: 'not_a_partition',
    message: `put each of the ${sources.length} entities of ${node.canonical_name} into exactly one part`,
  }
}

/** The stored entities with what the splits say about them. A later split of what an earlier one kept together wins: apart is stronger. */
export function applySplits(entities: readonly MergeableEntity[], splits: readonly EntitySplit[]): readonly MergeableEntity[] {
  if (splits.length === 0) return entities
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const apart = new Map<string, Set<string>>()
  const together = new Map<string, Set<string>>()
  for (const { parts } of splits) {
    const names = parts.map((part) => new Set(part.flatMap((id) => namesOf(byId.get(id)))))
    for (const [index, part] of parts.entries()) {
      const ids = parts.flatMap((other, at) => (at === index ? [] : other))
      const others = names.flatMap((set, at) => (at === index ? [] : [...set.difference(names[index] ?? set)]))
      for (const id of part) {
        add(apart, id, [...ids, ...others])
        add(
          together,
          id,
          part.filter((other) => other !== id),
        )
      }
    }
  }
  return entities.map((entity) => {
    const [split_from, kept_with] = [apart.get(entity.id), together.get(entity.id)]
    return split_from && kept_with ? { ...entity, split_from: [...split_from].sort(), kept_with: [...kept_with].sort() } : entity
  })
}

function namesOf(entity: MergeableEntity | undefined): string[] {
  return entity ? [entity.canonical_name, ...entity.aliases].map(foldName) : []
}

function add(map: Map<string, Set<string>>, id: string, values: readonly string[]): void {
  const set = map.get(id) ?? new Set()
  map.set(id, set)
  for (const value of values) set.add(value)
}
