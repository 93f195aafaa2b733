import type { MemoryRelationship, MemoryRelationshipEntity, RelationshipEdgeKind, RelationshipEntityKind } from '@tandem/contract/memory'
import { expect, test } from 'vitest'
import { everything, shownGraph, toggled } from './graph-filter.ts'

const stamps = { agent_id: 'a', conversation_id: null, created_at: '', updated_at: '', version: 1 }
const entity = (id: string, entity_kind: RelationshipEntityKind): MemoryRelationshipEntity => ({
  ...{ id, entity_kind, canonical_name: id, ontology_domain: 'work', aliases: [], mention_count: 1 },
  ...stamps,
})
const edge = (id: string, edge_kind: RelationshipEdgeKind, from: string, to: string): MemoryRelationship => ({
  ...{ id, edge_kind, subject_entity_id: from, object_entity_id: to, via_entity_ids: [], ontology_tags: [], edge_weight: 1 },
  ...{ relation_source: 'stated', subject_role: 'x', object_role: 'y', ontology_path: [], interaction_pattern: null, memory_ids: [] },
  ...stamps,
})
const graph = {
  entities: [entity('mara', 'stakeholder'), entity('mail', 'channel'), entity('deploy', 'workflow')],
  edges: [edge('1', 'expects_update_via', 'mara', 'mail'), edge('2', 'operates_on', 'mara', 'deploy')],
  isCut: false,
}
const ids = ({ entities, edges }: ReturnType<typeof shownGraph>) => [entities.map(({ id }) => id), edges.map(({ id }) => id)]

test('hidden kinds are left out, and edges to hidden entries with them', () => {
  expect(ids(shownGraph(graph, everything))).toEqual([
    ['mara', 'mail', 'deploy'],
    ['1', '2'],
  ])
  expect(ids(shownGraph(graph, { ...everything, hiddenEntities: new Set(['channel'] as const) }))).toEqual([['mara', 'deploy'], ['2']])
  expect(ids(shownGraph(graph, { ...everything, hiddenEdges: new Set(['operates_on'] as const) }))).toEqual([
    ['mara', 'mail', 'deploy'],
    ['1'],
  ])
})

test('a kind is hidden and shown again', () => {
  expect([...toggled(toggled(new Set<string>(), 'a'), 'b')]).toEqual(['a', 'b'])
  expect([...toggled(new Set(['a', 'b']), 'a')]).toEqual(['b'])
})
