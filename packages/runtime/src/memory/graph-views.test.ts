import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { atOnce } from '../scheduler/slices.ts'
import { openStore, type Store } from '../store/store.ts'
import { type GraphViews, openGraphViews } from './graph-views.ts'
import { type EntityDraft, type GraphRecords, openGraphRecords } from './record/graph-records.ts'

let home: string
let store: Store
let graph: GraphRecords
let views: GraphViews

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'graph-views-'))
  store = openStore({ home, clock: systemClock })
  graph = openGraphRecords(store)
  views = openGraphViews({ store, clock: systemClock, graph, refresh: () => undefined })
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const names = () => views.of('agent-1', { view: 'agent' }).entities.map(({ canonical_name }) => canonical_name)
const put = (canonical_name: string, conversation_id: string | null = null) => {
  const entity: EntityDraft = {
    ...{ id: store.newId(), agent_id: 'agent-1', conversation_id, entity_kind: 'stakeholder', canonical_name },
    ...{ ontology_domain: 'work', aliases: [], mention_count: 1 },
  }
  atOnce(graph.putEntities([entity], []))
  return entity
}

test('the same view is given again while nothing changes', () => {
  put('Ana')
  const first = views.of('agent-1', { view: 'agent' })
  expect(views.of('agent-1', { view: 'agent' })).toBe(first)
  expect(views.of('agent-2', { view: 'agent' }).entities).toEqual([])
  expect(views.of('agent-1', { view: 'agent', entity_kinds: ['channel'] }).entities).toEqual([])
})

test('each kind of write is in the next view', () => {
  const [ana, ben] = [put('Ana'), put('Ben')]
  expect(names()).toEqual(['Ana', 'Ben'])
  const edge = { agent_id: 'agent-1', conversation_id: null, edge_kind: 'operates_on' as const, subject_entity_id: ana.id }
  const rest = { via_entity_ids: [], ontology_tags: [], edge_weight: 1, relation_source: 'stated' as const, subject_role: 'person' }
  const more = { object_role: 'system', ontology_path: [], interaction_pattern: null, memory_ids: [] }
  atOnce(graph.setEdges('agent-1', null, [{ ...edge, ...rest, ...more, object_entity_id: ben.id }]))
  const linked = views.of('agent-1', { view: 'agent' })
  expect([linked.edges.length, [...linked.linked].toSorted()]).toEqual([1, [ana.id, ben.id].toSorted()])
  atOnce(graph.setEdges('agent-1', null, []))
  expect(views.of('agent-1', { view: 'agent' }).edges).toEqual([])
  store.transaction(() => graph.removeEntities([ana.id]))
  expect(names()).toEqual(['Ben'])
})

test('two entities that were one until they were split are two in the next view', () => {
  const [first, second] = [put('Ana Reis'), put('Ana Reis')]
  expect(names()).toEqual(['Ana Reis'])
  store.transaction(() => graph.addSplit({ parts: [[first.id], [second.id]] }))
  expect(names()).toEqual(['Ana Reis', 'Ana Reis'])
  expect(views.entities('agent-1')).toEqual(views.of('agent-1', { view: 'agent' }).entities)
})

test('the entities of one conversation, of none, and of all are read', () => {
  put('Ana')
  put('Ben', 'conversation-1')
  put('Cem', 'conversation-2')
  const read = (...of: [] | [string | null]) => graph.entities('agent-1', ...of).map(({ canonical_name }) => canonical_name)
  expect([read('conversation-1'), read(null), read().toSorted()]).toEqual([['Ben'], ['Ana'], ['Ana', 'Ben', 'Cem']])
})

test('a write of another process is in the next view', () => {
  const { id } = put('Ana')
  expect(names()).toEqual(['Ana'])
  const other = new DatabaseSync(join(home, 'tandem.db'))
  other.prepare(`UPDATE memory_relationship_entities SET canonical_name = 'Anna' WHERE id = ?`).run(id)
  other.close()
  expect(names()).toEqual(['Anna'])
})
