import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entityFor, type KnownEntity } from './entities.ts'
import { entityLookup } from './entity-lookup.ts'

const word = fc.constantFrom('Ana', 'Anabel', 'Ben', 'Reis', 'Rao', 'A.', 'R', 'de', 'Kovač', 'Dr.', 'Trust')
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const entity: fc.Arbitrary<KnownEntity> = fc.record({
  canonical_name: name,
  aliases: fc.array(name, { maxLength: 2 }),
  entity_kind: fc.constantFrom('stakeholder', 'stakeholder', 'stakeholder', 'resource'),
  ontology_domain: fc.constantFrom('person', 'person', 'organization'),
})

test('finds the same entity as a comparison with all of them, also after some were changed and removed', () => {
  const change = fc.record({ place: fc.nat(11), entity: fc.option(entity, { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(entity, { maxLength: 12 }), fc.array(change, { maxLength: 6 }), entity, (known, changes, candidate) => {
      const lookup = entityLookup(known)
      const now = new Map(known.entries())
      for (const { place, entity: next } of changes) {
        lookup.set(place, next)
        if (next) now.set(place, next)
        else now.delete(place)
      }
      const order = [...now].toSorted(([left], [right]) => left - right)
      const wanted = entityFor(
        candidate,
        order.map(([, one]) => one),
      )
      expect(lookup.find(candidate)?.entity).toBe(wanted)
    }),
    { numRuns: 500 },
  )
})

test('tells where the entity is', () => {
  const known = ['Mia Lind', 'Ana Reis'].map((canonical_name): KnownEntity => ({ canonical_name, aliases: [], entity_kind: 'stakeholder' }))
  const lookup = entityLookup(known)
  const ana: KnownEntity = { canonical_name: 'Ana', aliases: [], entity_kind: 'stakeholder' }
  expect(lookup.find(ana)).toEqual({ place: 1, entity: known[1] })
  lookup.set(0, { ...ana, canonical_name: 'Ana Kovač' })
  expect(lookup.find(ana)).toBeUndefined()
  lookup.set(1, undefined)
  expect(lookup.find(ana)?.place).toBe(0)
})
