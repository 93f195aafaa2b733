// How entries and relationships are called. The user reads about themselves as "You". Pure.
import { isUserEntity, type MemoryRelationship, type MemoryRelationshipEntity } from '@tandem/contract/memory'
import { graphWords } from '../../strings/memory-graph.ts'
import { visibleName } from '../../text/name.ts'

type Entity = Pick<MemoryRelationshipEntity, 'entity_kind' | 'canonical_name'>

export function entityName(entity: Entity): string {
  return isUserEntity(entity) ? graphWords.you : visibleName(entity.canonical_name)
}

/** "You work on", but "Ana Reis works on". */
export function relationName({ edge_kind }: Pick<MemoryRelationship, 'edge_kind'>, subject: Entity | undefined): string {
  return subject && isUserEntity(subject) ? graphWords.edgesOfYou[edge_kind] : graphWords.edges[edge_kind]
}

/** As the object of a sentence. */
export function objectName(entity: Entity): string {
  return isUserEntity(entity) ? graphWords.youAsObject : entityName(entity)
}
