// The relationship graph: its nodes and edges, as stored in one conversation and as merged at agent level.
import Type, { type Static } from 'typebox'
import { Count, Id, Key, Line, listOf, nullable, object, oneOf, Timestamp, Version } from '../shape.ts'
import { relationSources, relationshipEdgeKinds, relationshipEntityKinds } from './relationship.ts'

export const RelationshipEdgeKind = oneOf(relationshipEdgeKinds)
export const RelationshipEntityKind = oneOf(relationshipEntityKinds)

const stamps = { created_at: Timestamp, updated_at: Timestamp, version: Version }
const merged = Type.Optional(listOf(Id, { description: 'Only on records merged at query time' }))

export const MemoryRelationshipEntity = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  entity_kind: RelationshipEntityKind,
  canonical_name: Line,
  ontology_domain: Line,
  aliases: listOf(Line, { maxItems: 100 }),
  mention_count: Count,
  source_entity_ids: merged,
  source_conversation_ids: merged,
  ...stamps,
})
export type MemoryRelationshipEntity = Static<typeof MemoryRelationshipEntity>

/** An edge. `via_entity_ids` are the nodes between its ends: empty for one hop. */
export const MemoryRelationship = object({
  id: Id,
  agent_id: Key,
  conversation_id: nullable(Id),
  edge_kind: RelationshipEdgeKind,
  subject_entity_id: Id,
  object_entity_id: Id,
  via_entity_ids: listOf(Id, { maxItems: 10 }),
  ontology_tags: listOf(Line, { maxItems: 50 }),
  edge_weight: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  relation_source: oneOf(relationSources),
  subject_role: Line,
  object_role: Line,
  ontology_path: listOf(Line, { maxItems: 20 }),
  interaction_pattern: nullable(Line),
  memory_ids: listOf(Id, { description: 'The memories this edge was derived from' }),
  source_conversation_ids: merged,
  ...stamps,
})
export type MemoryRelationship = Static<typeof MemoryRelationship>
