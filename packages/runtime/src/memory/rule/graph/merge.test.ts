import { type MemoryRelationshipEntity, relationshipEntityKinds } from '@tandem/contract/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entityFor, type KnownEntity, type MergeableEntity, mergeEntities, mergeKnown, sameEntity } from './entities.ts'
import { foldName, fullKeys, isShortFor, shortKey } from './names.ts'
import { applySplits, type EntitySplit, splitEntity } from './split.ts'

const at = '2026-03-01T08:00:00.000Z'
const uuid = (no: number) => `01900000-0000-7000-8000-${String(no).padStart(12, '0')}`

function entity(no: number, canonical_name: string, rest: Partial<MemoryRelationshipEntity> = {}): MergeableEntity {
  return {
    id: uuid(no),
    agent_id: 'clerk',
    conversation_id: uuid(900),
    entity_kind: 'stakeholder',
    canonical_name,
    ontology_domain: 'person',
    aliases: [],
    mention_count: 1,
    created_at: at,
    updated_at: at,
    version: 1,
    ...rest,
  }
}

const known = (canonical_name: string, ...aliases: string[]): KnownEntity => ({ canonical_name, aliases, entity_kind: 'stakeholder' })
const parts = (nodes: readonly MergeableEntity[]) =>
  nodes.map(({ source_entity_ids }) => (source_entity_ids ?? []).map((id) => Number(id.slice(-12))))

describe('names', () => {
  test.each([
    ['Ana Reis', 'ana reis'],
    ['  ANA   REIS ', 'ana reis'],
    ["Ana Reis's", 'ana reis'],
    ['Dr. Zoë Škvor', 'zoe skvor'],
    ['the Harbour Trust', 'harbour trust'],
    ['src/Main.ts', 'src/main.ts'],
    ['Ana R.', 'ana r'],
    ['The', 'the'],
    ['???', '???'],
    ['李明', '李明'],
  ])('%j is compared as %j', (name, folded) => expect(foldName(name)).toBe(folded))

  test.each([
    ['ana', 'ana reis', true],
    ['reis', 'ana reis', true],
    ['ana r', 'ana reis', true],
    ['a reis', 'ana reis', true],
    ['helen ward', 'mary helen ward', true],
    ['ana reis', 'ana reis', false],
    ['ana k', 'ana reis', false],
    ['reis ana', 'ana reis', false],
    ['a r', 'ana reis', false],
    ['de', 'ana de reis', false],
    ['ana', 'anabel reis', false],
    ['ana', 'ana', false],
  ])('%s for %s: %s', (short, full, expected) => expect(isShortFor(short, full)).toBe(expected))

  const word = fc.constantFrom('ana', 'bea', 'reis', 'kovac', 'de', 'a', 'r', 'mia')
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  test('a full name is found by the key of each of its short forms, and no name is short for itself or for one of its short forms', () => {
    fc.assert(
      fc.property(name, name, (short, full) => {
        expect(isShortFor(short, full) && isShortFor(full, short)).toBe(false)
        if (isShortFor(short, full)) expect(fullKeys(full)).toContain(shortKey(short))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the same entity', () => {
  test('under two names that its words connect', () => {
    expect(sameEntity(known('Harbour Trust', 'HT'), known('HT'))).toBe(true)
    expect(sameEntity(known('Robert Lind', 'Bob'), known('bob'))).toBe(true)
    expect(sameEntity(known('Harbour Trust'), known('HT'))).toBe(false)
  })

  test('a first name is the one person who has it, and no one if two have it', () => {
    expect(sameEntity(known('Ana'), known('Ana Reis'))).toBe(true)
    expect(sameEntity(known('Ana'), known('Ana Reis'), [known('Ana Kovač')])).toBe(false)
    expect(sameEntity(known('Ana K.'), known('Ana Kovač'), [known('Ana Reis'), known('Ana')])).toBe(true)
    expect(sameEntity(known('Ana Reis'), known('Ana Kovač'))).toBe(false)
    expect(sameEntity(known('Ana Reis', 'Ana'), known('Ana Kovač', 'Ana'))).toBe(false)
  })

  test('a nickname that is also the first name of another person joins no one', () => {
    expect(sameEntity(known('Robert Lind', 'Bob'), known('Bob Marsh'))).toBe(false)
    expect(sameEntity(known('Bob Marsh'), known('Robert Lind', 'Bob'))).toBe(false)
  })

  test('kinds stay apart, and so do entities that the user split', () => {
    expect(sameEntity(known('Mercury'), { ...known('Mercury'), entity_kind: 'resource' })).toBe(false)
    expect(sameEntity({ ...known('Ana'), split_from: ['ana reis'] }, known('Ana Reis'))).toBe(false)
    expect(sameEntity(known('Ana Reis'), { ...known('Ana'), id: 'x', split_from: ['ana reis'] })).toBe(false)
    expect(sameEntity({ ...known('Ana'), id: 'x' }, { ...known('Ana'), id: 'y', split_from: ['x'] })).toBe(false)
  })

  test('only the names of people can be shortened', () => {
    const trust = { ...known('Harbour Trust'), ontology_domain: 'organization' }
    expect(sameEntity(trust, { ...known('Harbour'), ontology_domain: 'organization' })).toBe(false)
    expect(sameEntity({ ...known('weekly report'), entity_kind: 'workflow' }, { ...known('report'), entity_kind: 'workflow' })).toBe(false)
  })

  test('a stored entity is found for a mention, unless it could be several', () => {
    const stored = [known('Ana Reis'), known('Ana Kovač'), known('Robert Lind', 'Bob')]
    expect(entityFor(known('Bob'), stored)).toBe(stored[2])
    expect(entityFor(known('Kovač'), stored)).toBe(stored[1])
    expect(entityFor(known('Ana'), stored)).toBeUndefined()
    expect(entityFor(known('Mia'), stored)).toBeUndefined()
  })

  test('the mentions of one text are joined under the fullest name', () => {
    const mentioned = (name: string, mention_count: number) => ({ ...known(name), ontology_domain: 'person', mention_count })
    expect(mergeKnown([mentioned('Ana', 2), mentioned('Ana Reis', 1), mentioned('Mia', 1)])).toEqual([
      { ...known('Ana Reis', 'Ana'), ontology_domain: 'person', mention_count: 3 },
      mentioned('Mia', 1),
    ])
  })
})

describe('merging', () => {
  test('keeps where a node comes from', () => {
    const later = '2026-03-09T08:00:00.000Z'
    const nodes = mergeEntities([
      entity(2, 'Ana Reis', { conversation_id: uuid(902), mention_count: 4, updated_at: later, version: 3, aliases: ['Nia'] }),
      entity(1, 'Ana', { conversation_id: uuid(901), mention_count: 9 }),
    ])
    expect(nodes).toEqual([
      {
        ...entity(1, 'Ana Reis', { conversation_id: null, mention_count: 13, aliases: ['Ana', 'Nia'], updated_at: later, version: 3 }),
        source_entity_ids: [uuid(1), uuid(2)],
        source_conversation_ids: [uuid(901), uuid(902)],
      },
    ])
  })

  test('of different conversations only stakeholders, workflows and preferences become one', () => {
    const merged = relationshipEntityKinds.filter((entity_kind) => {
      const nodes = mergeEntities([1, 2].map((no) => entity(no, 'the plan', { entity_kind, conversation_id: uuid(900 + no) })))
      return nodes.length === 1
    })
    expect(merged).toEqual(['stakeholder', 'workflow', 'preference'])
    expect(mergeEntities([1, 2].map((no) => entity(no, 'Slack', { entity_kind: 'channel' })))).toHaveLength(1)
  })

  test('two people with the same first name: their first name alone is the one of its conversation, or no one', () => {
    const [first, second, third] = [uuid(901), uuid(902), uuid(903)]
    const nodes = mergeEntities([
      entity(1, 'Ana Reis', { conversation_id: first }),
      entity(2, 'Ana Kovač', { conversation_id: second }),
      entity(3, 'Ana', { conversation_id: first }),
      entity(4, 'Ana', { conversation_id: second }),
      entity(5, 'Ana', { conversation_id: third }),
      entity(6, 'Ana K.', { conversation_id: third }),
      entity(7, 'Reis', { conversation_id: third }),
      entity(8, 'Ana', { conversation_id: uuid(904) }),
    ])
    // In the third conversation "Ana" can only be "Ana K.", who is Ana Kovač; "Reis" is Ana Reis, so there it can be both.
    expect(parts(nodes)).toEqual([[1, 3, 7], [2, 4, 6], [5], [8]])
  })

  test('agents are never mixed', () => {
    expect(mergeEntities([entity(1, 'Ana Reis'), entity(2, 'Ana Reis', { agent_id: 'other' })])).toHaveLength(2)
  })

  const conversation = fc.integer({ min: 901, max: 903 }).map(uuid)
  const anyName = fc.constantFrom(
    'Ana',
    'Ana Reis',
    'Ana Kovač',
    'Ana R.',
    'Reis',
    'Bob',
    'Robert Lind',
    'Harbour Trust',
    'HT',
    'Mia',
    'Mia Reis',
    'Ana Mia Reis',
  )
  const some = fc
    .array(
      fc.record({
        name: anyName,
        aliases: fc.uniqueArray(anyName, { maxLength: 2 }),
        conversation,
        kind: fc.constantFrom('stakeholder', 'workflow', 'channel'),
      }),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((list) =>
      list.map(({ name, aliases, conversation: conversation_id, kind }, index) =>
        entity(index + 1, name, {
          aliases,
          conversation_id,
          entity_kind: kind as MemoryRelationshipEntity['entity_kind'],
          mention_count: index,
        }),
      ),
    )
  const someSplits = fc
    .array(
      fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }).map(uuid), { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
      { maxLength: 3 },
    )
    .map((list): EntitySplit[] => list.map((groups) => ({ parts: disjoint(groups) })).filter((split) => split.parts.length > 1))

  test('is independent of the order, changes nothing when repeated, and loses nothing', () => {
    fc.assert(
      fc.property(some, someSplits, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (entities, splits, noise) => {
        const input = applySplits(entities, splits)
        const nodes = mergeEntities(input)
        const shuffled = input.map((one) => [noise.next().value, one] as const).sort(([left], [right]) => left - right)
        expect(mergeEntities(shuffled.map(([, one]) => one))).toEqual(nodes)
        expect(mergeEntities(nodes)).toEqual(nodes)
        expect(
          parts(nodes)
            .flat()
            .sort((left, right) => left - right),
        ).toEqual(entities.map((_, index) => index + 1))
        expect(nodes.reduce((sum, { mention_count }) => sum + mention_count, 0)).toBe(
          entities.reduce((sum, { mention_count }) => sum + mention_count, 0),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('never joins what the user split, with any later entities', () => {
    fc.assert(
      fc.property(some, someSplits, (entities, splits) => {
        const nodes = mergeEntities(applySplits(entities, splits))
        for (const { parts: groups } of splits) {
          for (const { source_entity_ids = [] } of nodes) {
            expect(groups.filter((group) => group.some((id) => source_entity_ids.includes(id))).length).toBeLessThanOrEqual(1)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('then splitting gives exactly the parts back', () => {
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), (entities, choice) => {
        for (const node of mergeEntities(entities)) {
          const ids = node.source_entity_ids ?? []
          const groups = [...Map.groupBy(ids, () => choice.next().value).values()]
          const result = splitEntity(node, groups)
          expect(result.ok).toBe(groups.length > 1)
          if (!result.ok) continue
          const after = mergeEntities(
            applySplits(
              entities.filter(({ id }) => ids.includes(id)),
              [result.split],
            ),
          )
          expect(after.map(({ source_entity_ids = [] }) => source_entity_ids).sort()).toEqual(
            groups.map((group) => [...group].sort()).sort(),
          )
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a split', () => {
  const [first, second] = [entity(1, 'Ana', { conversation_id: uuid(901) }), entity(2, 'Ana', { conversation_id: uuid(902) })]
  const [node] = mergeEntities([first, second]) as [MergeableEntity]
  const split = { parts: [[uuid(1)], [uuid(2)]] }

  test('must name each entity of the node once, in at least two parts', () => {
    expect(splitEntity(node, split.parts)).toEqual({ ok: true, split })
    const refused = { ok: false, code: 'not_a_partition', message: 'put each of the 2 entities of Ana into exactly one part' }
    for (const wrong of [
      [[uuid(1)]],
      [[uuid(1), uuid(2)]],
      [[uuid(1)], [uuid(1)]],
      [[uuid(1)], [uuid(2)], []],
      [[uuid(1)], [uuid(2), uuid(3)]],
    ]) {
      expect(splitEntity(node, wrong)).toEqual(refused)
    }
  })

  test('makes the shared name ambiguous: a third one with it joins neither', () => {
    const third = entity(3, 'Ana', { conversation_id: uuid(903) })
    expect(parts(mergeEntities([first, second, third]))).toEqual([[1, 2, 3]])
    expect(parts(mergeEntities(applySplits([first, second, third], [split])))).toEqual([[1], [2], [3]])
  })

  test('keeps a different name away after the entity that had it is gone', () => {
    const [full, short] = [entity(1, 'Ana Reis'), entity(2, 'Ana', { conversation_id: uuid(902) })]
    const [annotated] = applySplits([full, short], [split]) as [MergeableEntity]
    expect(parts(mergeEntities([annotated, entity(7, 'Ana', { conversation_id: uuid(903) })]))).toEqual([[1], [7]])
  })
})

function disjoint(groups: readonly (readonly string[])[]): string[][] {
  const seen = new Set<string>()
  return groups.map((group) => group.filter((id) => !seen.has(id) && seen.add(id))).filter((group) => group.length > 0)
}
