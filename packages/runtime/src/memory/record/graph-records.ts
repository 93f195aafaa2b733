// The relationship graph of each conversation, rebuilt from its memories. Ids stay the same as long as what they name is there.
import type { MemoryRelationship, MemoryRelationshipEntity } from '@tandem/contract/memory'
import { timestamp } from '../../clock/clock.ts'
import { openBatches, type SlicedWork } from '../../scheduler/slices.ts'
import type { Store } from '../../store/store.ts'
import type { EntitySplit } from '../rule/graph/split.ts'

type StoredEntity = Omit<MemoryRelationshipEntity, 'source_entity_ids' | 'source_conversation_ids'>
type StoredEdge = Omit<MemoryRelationship, 'source_conversation_ids'>
type Stamped = 'id' | 'created_at' | 'updated_at' | 'version'

export type EntityDraft = Omit<StoredEntity, Exclude<Stamped, 'id'>>
export type EdgeDraft = Omit<StoredEdge, Stamped>

export interface GraphRecords {
  /** Of one conversation; with null, of what was learned in none; otherwise of all. */
  entities(agent_id: string, conversation_id?: string | null): readonly MemoryRelationshipEntity[]
  edges(agent_id: string, conversation_id?: string | null): readonly MemoryRelationship[]
  /** Writes entities, in slices; `before` is what is stored under their ids. What did not change is not a new version. */
  putEntities(drafts: readonly EntityDraft[], before: readonly StoredEntity[]): SlicedWork<void>
  removeEntities(ids: readonly string[]): void
  /** Replaces the edges of a conversation, in slices. */
  setEdges(agent_id: string, conversation_id: string | null, drafts: readonly EdgeDraft[]): SlicedWork<void>
  splits(): readonly EntitySplit[]
  addSplit(split: EntitySplit): void
  count(): number
  /** Another number after each write. */
  revision(): number
}

type GraphRow<Record> = { readonly [Field in keyof Record]: string | number | null }

const entityLists = ['aliases'] as const
const edgeLists = ['via_entity_ids', 'ontology_tags', 'ontology_path', 'memory_ids'] as const

export function openGraphRecords({ sql, newId, clock, transaction }: Pick<Store, 'sql' | 'newId' | 'clock' | 'transaction'>): GraphRecords {
  const inTransactions = openBatches(transaction)
  const parsed = <Record>(row: GraphRow<Record>, lists: readonly (keyof Record)[]): Record => {
    const { source_conversation_ids: _merged, ...fields } = row as GraphRow<Record> & { source_conversation_ids?: unknown }
    return { ...fields, ...Object.fromEntries(lists.map((field) => [field, JSON.parse(String(row[field]))])) } as Record
  }
  // Two statements, so that the one for a conversation uses the index: an agent may have tens of thousands of rows.
  const entities: GraphRecords['entities'] = (agent_id, conversation_id) =>
    (conversation_id === undefined
      ? sql.all<GraphRow<MemoryRelationshipEntity>>`
          SELECT * FROM memory_relationship_entities WHERE agent_id = ${agent_id} ORDER BY id`
      : sql.all<GraphRow<MemoryRelationshipEntity>>`
          SELECT * FROM memory_relationship_entities WHERE agent_id = ${agent_id} AND conversation_id IS ${conversation_id} ORDER BY id`
    ).map((row) => parsed<MemoryRelationshipEntity>(row, entityLists))
  const edges: GraphRecords['edges'] = (agent_id, conversation_id) =>
    (conversation_id === undefined
      ? sql.all<GraphRow<MemoryRelationship>>`SELECT * FROM memory_relationship_graph WHERE agent_id = ${agent_id} ORDER BY id`
      : sql.all<GraphRow<MemoryRelationship>>`
          SELECT * FROM memory_relationship_graph WHERE agent_id = ${agent_id} AND conversation_id IS ${conversation_id} ORDER BY id`
    ).map((row) => parsed<MemoryRelationship>(row, edgeLists))
  let revision = 0
  const endsOf = ({ edge_kind, subject_entity_id, object_entity_id, via_entity_ids }: EdgeDraft) =>
    [edge_kind, subject_entity_id, object_entity_id, ...via_entity_ids].join('\n')
  const bodyOf = (record: object) => {
    const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...body } = record as StoredEdge
    return JSON.stringify(Object.entries(body).toSorted(([left], [right]) => (left < right ? -1 : 1)))
  }

  return {
    entities,
    edges,
    *putEntities(drafts, before) {
      const byId = new Map(before.map((entity) => [entity.id, entity]))
      const now = timestamp(clock.now())
      yield* inTransactions(drafts, (draft) => {
        const known = byId.get(draft.id)
        if (known && bodyOf(known) === bodyOf(draft)) return
        revision += 1
        sql.run`
          INSERT OR REPLACE INTO memory_relationship_entities (id, agent_id, conversation_id, entity_kind, canonical_name, ontology_domain,
            aliases, mention_count, created_at, updated_at, version)
          VALUES (${draft.id}, ${draft.agent_id}, ${draft.conversation_id}, ${draft.entity_kind}, ${draft.canonical_name},
            ${draft.ontology_domain}, ${JSON.stringify(draft.aliases)}, ${draft.mention_count}, ${known?.created_at ?? now}, ${now},
            ${(known?.version ?? 0) + 1})`
      })
    },
    removeEntities(ids) {
      revision += 1
      sql.run`DELETE FROM memory_relationship_entities WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    },
    *setEdges(agent_id, conversation_id, drafts) {
      const before = new Map(edges(agent_id, conversation_id).map((edge) => [endsOf(edge), edge]))
      yield
      const wanted = new Map(drafts.map((draft) => [endsOf(draft), draft]))
      yield
      const gone = [...before].filter(([key]) => !wanted.has(key)).map(([, { id }]) => id)
      if (gone.length > 0) {
        revision += 1
        sql.run`DELETE FROM memory_relationship_graph WHERE id IN (SELECT value FROM json_each(${JSON.stringify(gone)}))`
      }
      const now = timestamp(clock.now())
      yield* inTransactions([...wanted], ([key, draft]) => {
        const known = before.get(key)
        if (known && bodyOf(known) === bodyOf(draft)) return
        revision += 1
        sql.run`
          INSERT OR REPLACE INTO memory_relationship_graph (id, agent_id, conversation_id, edge_kind, subject_entity_id, object_entity_id,
            via_entity_ids, ontology_tags, edge_weight, relation_source, subject_role, object_role, ontology_path, interaction_pattern,
            memory_ids, created_at, updated_at, version)
          VALUES (${known?.id ?? newId()}, ${agent_id}, ${conversation_id}, ${draft.edge_kind}, ${draft.subject_entity_id},
            ${draft.object_entity_id}, ${JSON.stringify(draft.via_entity_ids)}, ${JSON.stringify(draft.ontology_tags)}, ${draft.edge_weight},
            ${draft.relation_source}, ${draft.subject_role}, ${draft.object_role}, ${JSON.stringify(draft.ontology_path)},
            ${draft.interaction_pattern}, ${JSON.stringify(draft.memory_ids)}, ${known?.created_at ?? now}, ${now}, ${(known?.version ?? 0) + 1})`
      })
    },
    splits: () =>
      sql.all<{ parts: string }>`SELECT parts FROM memory_entity_splits ORDER BY id`.map(({ parts }) => ({ parts: JSON.parse(parts) })),
    addSplit({ parts }) {
      revision += 1
      sql.run`INSERT INTO memory_entity_splits (id, parts) VALUES (${newId()}, ${JSON.stringify(parts)})`
    },
    count: () => sql.get<{ count: number }>`SELECT count(*) AS count FROM memory_relationship_graph`?.count ?? 0,
    revision: () => revision,
  }
}
