// The entity that a user names when saying what a memory is about. Pure.
import { isUserEntity, type MemoryRelationshipEntity } from '@tandem/contract/memory'

const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The subject of a memory as it is stored: an entity that is given by its id, its name or an alias gets its usual name, so that memories about
 * it are compared with each other. A name that nobody or several have stays as it was written. Null if there is no entity with this id.
 */
export function namedSubject(subject: string, entities: readonly MemoryRelationshipEntity[]): string | null {
  if (!subject.startsWith('entity:')) return subject
  const given = subject.slice('entity:'.length).trim()
  const name = given.toLowerCase()
  const found = isId.test(given)
    ? entities.filter(({ id, source_entity_ids = [] }) => [id, ...source_entity_ids].includes(name))
    : entities.filter(({ canonical_name, aliases }) => [canonical_name, ...aliases].some((one) => one.toLowerCase() === name))
  const [entity, another] = found
  if (!entity) return isId.test(given) ? null : `entity:${given}`
  if (found.some(isUserEntity)) return 'user'
  return another && another.canonical_name !== entity.canonical_name ? `entity:${given}` : `entity:${entity.canonical_name}`
}
