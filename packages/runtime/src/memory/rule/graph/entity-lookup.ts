// Finds which of many entities a mention means, without comparing it with each of them: only those that share a name with it, or of which one
// has a short form of the other's name, can matter. The result is that of `entityFor`. Pure.
import { entityFor, type KnownEntity, namesOf } from './entities.ts'
import { fullKeys, isShortFor, shortKey } from './names.ts'

export interface EntityLookup<Entity extends KnownEntity> {
  /** The entity at `place` is this one from now on; undefined removes it. The order of the places is that of the entities. */
  set(place: number, entity: Entity | undefined): void
  find(candidate: KnownEntity): Found<Entity> | undefined
}

export interface Found<Entity> {
  readonly place: number
  readonly entity: Entity
}

interface NameIndex {
  readonly same: Map<string, Set<number>>
  /** By each key of a full name under which its short forms look for it, and by the key of a short form. */
  readonly full: Map<string, Set<number>>
  readonly short: Map<string, Set<number>>
}

export function entityLookup<Entity extends KnownEntity>(known: readonly Entity[] = []): EntityLookup<Entity> {
  const entities = new Map<number, Entity>()
  const kinds = new Map<string, NameIndex>()

  function indexOf({ entity_kind }: KnownEntity): NameIndex {
    const index = kinds.get(entity_kind) ?? { same: new Map(), full: new Map(), short: new Map() }
    kinds.set(entity_kind, index)
    return index
  }

  function places(entity: KnownEntity): (readonly [Map<string, Set<number>>, readonly string[]])[] {
    const { names } = namesOf(entity)
    const { same, full, short } = indexOf(entity)
    return mayBePerson(entity)
      ? [
          [same, names],
          [full, names.flatMap(fullKeys)],
          [short, names.map(shortKey)],
        ]
      : [[same, names]]
  }

  function set(place: number, entity: Entity | undefined): void {
    const before = entities.get(place)
    for (const [map, keys] of before ? places(before) : []) for (const key of keys) map.get(key)?.delete(place)
    if (entity) entities.set(place, entity)
    else entities.delete(place)
    for (const [map, keys] of entity ? places(entity) : []) for (const key of keys) map.set(key, (map.get(key) ?? new Set()).add(place))
  }

  /** The places of the entities that may be linked with this one directly. */
  function* nearTo(entity: KnownEntity): Generator<number> {
    const { names } = namesOf(entity)
    const { same, full, short } = indexOf(entity)
    const hasName = (place: number, isNear: (name: string) => boolean) => namesOf(entities.get(place) as Entity).names.some(isNear)
    for (const name of names) {
      yield* same.get(name) ?? []
      if (!mayBePerson(entity)) continue
      for (const place of full.get(shortKey(name)) ?? []) if (hasName(place, (other) => isShortFor(name, other))) yield place
      for (const key of fullKeys(name))
        for (const place of short.get(key) ?? []) if (hasName(place, (other) => isShortFor(other, name))) yield place
    }
  }

  for (const [place, entity] of known.entries()) set(place, entity)
  return {
    set,
    find(candidate) {
      const found = new Set<number>(nearTo(candidate))
      // A set is iterated together with what is added meanwhile.
      for (const place of found) for (const next of nearTo(entities.get(place) as Entity)) found.add(next)
      const order = [...found].sort((left, right) => left - right)
      const near = order.map((place) => entities.get(place) as Entity)
      const entity = entityFor(candidate, near)
      return entity && { place: order[near.indexOf(entity)] as number, entity }
    },
  }
}

/** An organization can get the names of a person when both are one entity. */
function mayBePerson({ entity_kind }: KnownEntity): boolean {
  return entity_kind === 'stakeholder'
}
