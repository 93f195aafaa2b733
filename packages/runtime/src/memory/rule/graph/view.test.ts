import type { MemoryRelationship } from '@tandem/contract/memory'
import { MemoryRelationshipEntity, MemoryRelationship as RelationshipSchema } from '@tandem/contract/memory/schema'
import fc from 'fast-check'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import type { MergeableEntity } from './entities.ts'
import { applySplits } from './split.ts'
import { type Graph, graphView } from './view.ts'

const at = '2026-03-01T08:00:00.000Z'
const uuid = (no: number) => `01900000-0000-7000-8000-${String(no).padStart(12, '0')}`

function entity(no: number, canonical_name: string, rest: Partial<MergeableEntity> = {}): MergeableEntity {
  const stamps = { created_at: at, updated_at: at, version: 1 }
  const owner = { id: uuid(no), agent_id: 'clerk', conversation_id: uuid(901) }
  return {
    ...owner,
    entity_kind: 'stakeholder',
    canonical_name,
    ontology_domain: 'person',
    aliases: [],
    mention_count: 1,
    ...stamps,
    ...rest,
  }
}

function edge(no: number, subject: number, object: number, rest: Partial<MemoryRelationship> = {}): MemoryRelationship {
  return {
    id: uuid(no),
    agent_id: 'clerk',
    conversation_id: uuid(901),
    edge_kind: 'operates_on',
    subject_entity_id: uuid(subject),
    object_entity_id: uuid(object),
    via_entity_ids: [],
    ontology_tags: ['relationship'],
    edge_weight: 1,
    relation_source: 'stated',
    subject_role: 'operator',
    object_role: 'used',
    ontology_path: ['stakeholder', 'operates_on', 'workflow'],
    interaction_pattern: null,
    memory_ids: [uuid(no + 5_000)],
    created_at: at,
    updated_at: at,
    version: 1,
    ...rest,
  }
}

const [c1, c2] = [uuid(901), uuid(902)]
const graph: Graph = {
  entities: [
    entity(1, 'Ana Reis'),
    entity(2, 'payroll', { entity_kind: 'workflow' }),
    entity(3, 'Ana', { conversation_id: c2 }),
    entity(4, 'payroll', { entity_kind: 'workflow', conversation_id: c2 }),
    entity(5, 'email', { entity_kind: 'channel', conversation_id: c2 }),
    entity(6, 'salary sheet', { entity_kind: 'resource', conversation_id: c2 }),
    entity(7, 'Mia', { conversation_id: c2 }),
  ],
  edges: [
    edge(11, 1, 2, { edge_weight: 0.5, interaction_pattern: 'weekly' }),
    edge(12, 3, 4, {
      conversation_id: c2,
      edge_weight: 0.75,
      relation_source: 'observed',
      subject_role: 'lead',
      updated_at: '2026-03-02T08:00:00.000Z',
    }),
    edge(13, 3, 5, { conversation_id: c2, edge_kind: 'expects_update_via', edge_weight: 2 }),
    edge(14, 4, 6, { conversation_id: c2, edge_weight: 3 }),
    edge(15, 3, 6, { conversation_id: c2, via_entity_ids: [uuid(4)], relation_source: 'inferred', edge_weight: 0.2 }),
  ],
}

const names = ({ entities }: { readonly entities: readonly { readonly canonical_name: string }[] }) =>
  entities.map((one) => one.canonical_name)
const ids = ({ edges }: { readonly edges: readonly { readonly id: string }[] }) => edges.map(({ id }) => Number(id.slice(-12)))

describe('the view of an agent', () => {
  test('has merged nodes, and merged edges with their conversations', () => {
    const view = graphView(graph, { view: 'agent' })
    expect(names(view)).toEqual(['Ana Reis', 'payroll', 'email', 'salary sheet', 'Mia'])
    expect(view.edges.find(({ id }) => id === uuid(11))).toEqual({
      ...edge(11, 1, 2),
      conversation_id: null,
      edge_weight: 1.25,
      subject_role: 'lead',
      interaction_pattern: 'weekly',
      memory_ids: [uuid(5_011), uuid(5_012)],
      source_conversation_ids: [c1, c2],
      updated_at: '2026-03-02T08:00:00.000Z',
    })
    expect(view.edges.find(({ id }) => id === uuid(15))).toMatchObject({
      subject_entity_id: uuid(1),
      via_entity_ids: [uuid(2)],
      source_conversation_ids: [c2],
    })
    expect(ids(view)).toEqual([14, 13, 11, 15])
  })

  test('consists of records that the contract allows', () => {
    const view = graphView({ ...graph, entities: applySplits(graph.entities, [{ parts: [[uuid(1)], [uuid(3)]] }]) }, { view: 'agent' })
    expect(names(view)).toEqual(['Ana Reis', 'payroll', 'Ana', 'email', 'salary sheet', 'Mia'])
    expect(view.entities.filter((one) => !Value.Check(MemoryRelationshipEntity, one))).toEqual([])
    expect(view.edges.filter((one) => !Value.Check(RelationshipSchema, one))).toEqual([])
  })

  test('a weight has a limit, and an edge between two names of one node is left out', () => {
    const heavy = [edge(11, 1, 2, { edge_weight: 900_000 }), edge(12, 3, 4, { edge_weight: 900_000 }), edge(13, 1, 3)]
    expect(graphView({ ...graph, edges: heavy }, { view: 'agent' }).edges.map(({ edge_weight }) => edge_weight)).toEqual([1_000_000])
  })

  test('can be filtered by the kinds of entities and edges', () => {
    const people = graphView(graph, { view: 'agent', entity_kinds: ['stakeholder', 'workflow'] })
    expect([names(people), ids(people)]).toEqual([['Ana Reis', 'payroll', 'Mia'], [11]])
    expect(ids(graphView(graph, { view: 'agent', edge_kinds: ['expects_update_via'] }))).toEqual([13])
  })

  test('around an entity, so many hops away; the id can be that of a merged entity', () => {
    const near = graphView(graph, { view: 'agent', edge_kinds: ['operates_on'], around_entity_id: uuid(4), max_hops: 1 })
    expect([names(near), ids(near)]).toEqual([
      ['Ana Reis', 'payroll', 'salary sheet'],
      [14, 11, 15],
    ])
    expect(names(graphView(graph, { view: 'agent', around_entity_id: uuid(5), max_hops: 1 }))).toEqual(['Ana Reis', 'email'])
    expect(names(graphView(graph, { view: 'agent', around_entity_id: uuid(5) }))).toEqual(['Ana Reis', 'payroll', 'email', 'salary sheet'])
    expect(names(graphView(graph, { view: 'agent', around_entity_id: uuid(7) }))).toEqual(['Mia'])
    expect(names(graphView(graph, { view: 'agent', around_entity_id: uuid(99) }))).toEqual([])
  })
})

test('the view of a conversation merges within it and has nothing of another', () => {
  const view = graphView(graph, { view: 'conversation', conversation_id: c1 })
  expect([names(view), ids(view)]).toEqual([['Ana Reis', 'payroll'], [11]])
  expect(view.edges[0]?.source_conversation_ids).toEqual([c1])
  expect(graphView(graph, { view: 'conversation' }).entities).toEqual([])

  const conversation = fc.constantFrom(c1, c2, null)
  const anyGraph = fc.record({
    entities: fc
      .array(conversation, { minLength: 1, maxLength: 10 })
      .map((list) => list.map((conversation_id, index) => entity(index + 1, `Ana ${index % 3}`, { conversation_id }))),
    edges: fc
      .array(
        fc.tuple(
          conversation,
          fc.integer({ min: 1, max: 10 }),
          fc.integer({ min: 1, max: 10 }),
          fc.option(fc.integer({ min: 1, max: 10 })),
        ),
        { maxLength: 15 },
      )
      .map((list) =>
        list.map(([conversation_id, from, to, via], index) =>
          edge(100 + index, from, to, { conversation_id, via_entity_ids: via === null ? [] : [uuid(via)] }),
        ),
      ),
  })
  fc.assert(
    fc.property(anyGraph, (some) => {
      const here = graphView(some, { view: 'conversation', conversation_id: c1 })
      const own = new Set(some.entities.filter(({ conversation_id }) => conversation_id === c1).map(({ id }) => id))
      expect(here.entities.flatMap(({ source_entity_ids = [] }) => source_entity_ids).filter((id) => !own.has(id))).toEqual([])
      expect(
        here.edges.flatMap((one) => [one.subject_entity_id, one.object_entity_id, ...one.via_entity_ids]).filter((id) => !own.has(id)),
      ).toEqual([])
      expect(here.edges.flatMap(({ source_conversation_ids = [] }) => source_conversation_ids).filter((id) => id !== c1)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a view of 10,000 entities and 40,000 edges takes no time that grows with their square', () => {
  const large = largeGraph(10_000)
  expect(graphView(large, { view: 'agent' }).entities.length).toBeLessThan(10_000)
  // Ten times as much takes about ten times as long; a quadratic merge would take a hundred times.
  expect(leastTime(large)).toBeLessThan(Math.max(leastTime(largeGraph(1_000)), 10) * 50)
})

/** Time of the processor, because other programs may be running; the least of some, because of the compiler. */
function leastTime(graph: Graph): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage()
    graphView(graph, { view: 'agent' })
    return process.cpuUsage(before).user / 1_000
  })
  return Math.min(...times)
}

function largeGraph(count: number): Graph {
  const kinds = ['stakeholder', 'workflow', 'preference', 'channel', 'resource', 'constraint'] as const
  const words = ['Ana', 'Bo', 'Cy', 'Dee', 'Eve', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo']
  const name = (index: number) => {
    const [first, second, third] = [words[index % 10], words[Math.floor(index / 10) % 10], words[Math.floor(index / 100) % 10]]
    return index % 7 === 0 ? `${first}` : `${first} ${second}${third?.toLowerCase()}${index % 3}`
  }
  const entities = Array.from({ length: count }, (_, index) =>
    entity(index, name(index), {
      entity_kind: kinds[index % 6] ?? 'stakeholder',
      conversation_id: uuid(900_000 + (index % 40)),
      aliases: index % 5 === 0 ? [`alias ${index % 900}`] : [],
    }),
  )
  const edges = Array.from({ length: count * 4 }, (_, index) => edge(1_000_000 + index, (index * 7) % count, (index * 13 + 1) % count))
  return { entities, edges }
}
