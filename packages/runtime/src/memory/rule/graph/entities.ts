// The nodes of the relationship graph: who and what a text mentions, and which mentions are the same entity. Pure.
import { type MemoryRelationshipEntity, mergedEntityKinds, type RelationshipEntityKind } from '@tandem/contract/memory'
import { type GroupNode, grouped } from './groups.ts'
import { foldName, nameWords } from './names.ts'

export { type Mention, mentionsIn } from './mentions.ts'

export interface KnownEntity {
  readonly canonical_name: string
  readonly aliases: readonly string[]
  readonly entity_kind: RelationshipEntityKind
  readonly ontology_domain?: string
  readonly id?: string
  /** Ids and names of entities from which the user split this one. */
  readonly split_from?: readonly string[]
}

/** A stored entity with what the user decided about it (`applySplits`). */
export interface MergeableEntity extends MemoryRelationshipEntity {
  readonly split_from?: readonly string[]
  /** Ids that the user left together with this one. */
  readonly kept_with?: readonly string[]
}

/** An entity that a memory mentions, before it is stored. */
export interface MentionedEntity extends KnownEntity {
  readonly ontology_domain: string
  readonly mention_count: number
}

const mostAliases = 100

/**
 * Whether two entities are one: they share a name, or one has a short form of the other's name that fits no one else. `others` are the
 * entities known beside them: only with them can a first name be ambiguous.
 */
export function sameEntity(left: KnownEntity, right: KnownEntity, others: readonly KnownEntity[] = []): boolean {
  const groups = grouped([left, right, ...others].map(knownNode))
  return groups.some((group) => group.includes(0) && group.includes(1))
}

/** The entity that `candidate` is; undefined if it is a new one, or if it could be several. */
export function entityFor<Entity extends KnownEntity>(candidate: KnownEntity, known: readonly Entity[]): Entity | undefined {
  const groups = grouped([candidate, ...known].map(knownNode))
  const found = groups.find((group) => group.includes(0))?.find((index) => index > 0)
  return found === undefined ? undefined : known[found - 1]
}

/** The entities of one text: "Ana" and "Ana Reis" are one. */
export function mergeKnown(entities: readonly MentionedEntity[]): readonly MentionedEntity[] {
  return grouped(entities.map(knownNode)).map((group) => {
    const sources = group.map((index) => entities[index] as MentionedEntity)
    const best = sources.reduce((left, right) => (fullness(right.canonical_name) > fullness(left.canonical_name) ? right : left))
    const names = new Map(
      sources.flatMap(({ canonical_name, aliases }) => [canonical_name, ...aliases]).map((name) => [foldName(name), name]),
    )
    names.delete(foldName(best.canonical_name))
    return { ...best, aliases: [...names.values()], mention_count: sources.reduce((sum, { mention_count }) => sum + mention_count, 0) }
  })
}

/**
 * One node for each entity, ordered by id. Of different conversations, only entities of `mergedEntityKinds` become one; agents are never
 * mixed. A node has the id of its first entity.
 */
export function mergeEntities(entities: readonly MergeableEntity[]): readonly MergeableEntity[] {
  return grouped(entities.map(storedNode)).map((group) => mergedNode(group.map((index) => entities[index] as MergeableEntity)))
}

function storedNode(entity: MergeableEntity): GroupNode {
  const { id, agent_id, conversation_id, entity_kind } = entity
  const merges = mergedEntityKinds.some((kind) => kind === entity_kind)
  return {
    ...namesOf(entity),
    id,
    ids: entity.source_entity_ids ?? [id],
    scope: `${agent_id}\n${entity_kind}\n${merges ? '' : (conversation_id ?? '')}`,
    conversations: entity.source_conversation_ids ?? (conversation_id === null ? [] : [conversation_id]),
    together: entity.kept_with ?? [],
  }
}

function knownNode(entity: KnownEntity, index: number): GroupNode {
  const id = entity.id ?? `#${String(index).padStart(6, '0')}`
  return { ...namesOf(entity), id, ids: [id], scope: entity.entity_kind, conversations: ['here'], together: [] }
}

/** How it is compared. */
export function namesOf(entity: KnownEntity): Pick<GroupNode, 'names' | 'isPerson' | 'apart'> {
  const { canonical_name, aliases, entity_kind, ontology_domain, split_from = [] } = entity
  const names = aliases.length === 0 ? [foldName(canonical_name)] : [...new Set([canonical_name, ...aliases].map(foldName))].sort()
  return { names, isPerson: entity_kind === 'stakeholder' && ontology_domain !== 'organization', apart: split_from }
}

function mergedNode(sources: readonly MergeableEntity[]): MergeableEntity {
  const [first] = sources as readonly [MergeableEntity, ...MergeableEntity[]]
  const best = sources.length === 1 ? first : sources.reduce((left, right) => (isBetterName(right, left) ? right : left))
  const conversations = new Set(sources.map(({ conversation_id }) => conversation_id))
  return {
    ...first,
    conversation_id: conversations.size === 1 ? first.conversation_id : null,
    canonical_name: best.canonical_name,
    ontology_domain: best.ontology_domain,
    aliases: sources.length === 1 ? first.aliases : aliasesOf(sources, best.canonical_name),
    mention_count: Math.min(
      Number.MAX_SAFE_INTEGER,
      sources.reduce((sum, { mention_count }) => sum + mention_count, 0),
    ),
    source_entity_ids: all(sources, (source) => source.source_entity_ids ?? [source.id]),
    source_conversation_ids: all(
      sources,
      (source) => source.source_conversation_ids ?? (source.conversation_id ? [source.conversation_id] : []),
    ),
    created_at: sources.reduce((least, { created_at }) => (created_at < least ? created_at : least), first.created_at),
    updated_at: sources.reduce((most, { updated_at }) => (updated_at > most ? updated_at : most), first.updated_at),
    version: sources.reduce((most, { version }) => Math.max(most, version), 1),
    ...(sources.some(({ split_from }) => split_from) ? { split_from: all(sources, ({ split_from = [] }) => split_from) } : {}),
    ...(sources.some(({ kept_with }) => kept_with) ? { kept_with: all(sources, ({ kept_with = [] }) => kept_with) } : {}),
  }
}

/** The fullest name, then the most frequent, then the oldest. */
function isBetterName(one: MergeableEntity, other: MergeableEntity): boolean {
  if (one.canonical_name !== other.canonical_name) {
    const [length, otherLength] = [fullness(one.canonical_name), fullness(other.canonical_name)]
    if (length !== otherLength) return length > otherLength
  }
  if (one.mention_count !== other.mention_count) return one.mention_count > other.mention_count
  return one.created_at !== other.created_at ? one.created_at < other.created_at : one.id < other.id
}

function fullness(name: string): number {
  return nameWords(foldName(name)).filter((word) => word.length > 1).length
}

/** Other names, one spelling of each. */
function aliasesOf(sources: readonly MergeableEntity[], canonical_name: string): string[] {
  const spelled = [...new Set(sources.flatMap((source) => [source.canonical_name, ...source.aliases]))].sort()
  const byName = new Map(spelled.map((name) => [foldName(name), name]))
  byName.delete(foldName(canonical_name))
  return [...byName.values()].sort().slice(0, mostAliases)
}

function all(sources: readonly MergeableEntity[], values: (source: MergeableEntity) => readonly string[]): string[] {
  const set = new Set<string>()
  for (const source of sources) for (const value of values(source)) set.add(value)
  return [...set].sort()
}
