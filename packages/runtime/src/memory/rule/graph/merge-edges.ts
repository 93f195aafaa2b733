// Edges between the same nodes become one, which keeps where it came from. Pure.
import { type MemoryRelationship, relationSources, relationshipEdgeKinds } from '@tandem/contract/memory'

/** The most that the contract allows. */
const heaviest = 1_000_000
const mostTags = 50

/** `nodeOf` gives the node of each entity. An edge with an end or a path elsewhere, or from a node to itself, is left out. Heaviest first. */
export function mergeEdges(edges: readonly MemoryRelationship[], nodeOf: ReadonlyMap<string, string>): readonly MemoryRelationship[] {
  const numbers = new Map<string, number>()
  for (const id of nodeOf.values()) if (!numbers.has(id)) numbers.set(id, numbers.size)
  const numberOf = new Map([...nodeOf].map(([entity, node]) => [entity, numbers.get(node) ?? -1]))
  // Numbers, because the two ids of each edge as one text would take most of the time.
  const direct = new Map<number, MemoryRelationship[]>()
  const indirect = new Map<string, MemoryRelationship[]>()
  for (const edge of edges) {
    const [subject, object] = [numberOf.get(edge.subject_entity_id), numberOf.get(edge.object_entity_id)]
    if (subject === undefined || object === undefined || subject === object) continue
    const ends = (subject * numbers.size + object) * relationshipEdgeKinds.length + relationshipEdgeKinds.indexOf(edge.edge_kind)
    if (edge.via_entity_ids.length === 0) append(direct, ends, edge)
    else {
      const via = viaNodes(edge, nodeOf)
      if (via) append(indirect, `${ends} ${via.join(' ')}`, edge)
    }
  }
  const merged = [...direct.values(), ...indirect.values()].map((group) => mergedEdge(group, nodeOf))
  return merged.sort((left, right) => right.edge_weight - left.edge_weight || (left.id < right.id ? -1 : 1))
}

function append<Key>(groups: Map<Key, MemoryRelationship[]>, key: Key, edge: MemoryRelationship): void {
  const group = groups.get(key)
  if (group) group.push(edge)
  else groups.set(key, [edge])
}

function viaNodes({ via_entity_ids }: MemoryRelationship, nodeOf: ReadonlyMap<string, string>): string[] | undefined {
  if (via_entity_ids.length === 0) return []
  const nodes = via_entity_ids.flatMap((id) => nodeOf.get(id) ?? [])
  return nodes.length === via_entity_ids.length ? nodes : undefined
}

function mergedEdge(unsorted: readonly MemoryRelationship[], nodeOf: ReadonlyMap<string, string>): MemoryRelationship {
  const edges = unsorted.length === 1 ? unsorted : unsorted.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const [first] = edges as readonly [MemoryRelationship, ...MemoryRelationship[]]
  const main = edges.reduce((left, right) => (right.edge_weight > left.edge_weight ? right : left))
  const latest = edges.filter(({ interaction_pattern }) => interaction_pattern !== null).reduce(later, undefined)
  return {
    ...main,
    id: first.id,
    conversation_id: edges.every(({ conversation_id }) => conversation_id === first.conversation_id) ? first.conversation_id : null,
    subject_entity_id: nodeOf.get(first.subject_entity_id) ?? first.subject_entity_id,
    object_entity_id: nodeOf.get(first.object_entity_id) ?? first.object_entity_id,
    via_entity_ids: viaNodes(first, nodeOf) ?? [],
    ontology_tags: union(edges, ({ ontology_tags }) => ontology_tags).slice(0, mostTags),
    edge_weight: Math.min(
      heaviest,
      edges.reduce((sum, { edge_weight }) => sum + edge_weight, 0),
    ),
    relation_source:
      relationSources.find((source) => edges.some(({ relation_source }) => relation_source === source)) ?? main.relation_source,
    interaction_pattern: latest?.interaction_pattern ?? null,
    memory_ids: union(edges, ({ memory_ids }) => memory_ids),
    source_conversation_ids: union(edges, conversationsOf),
    created_at: edges.reduce((least, { created_at }) => (created_at < least ? created_at : least), first.created_at),
    updated_at: edges.reduce((most, { updated_at }) => (updated_at > most ? updated_at : most), first.updated_at),
    version: edges.reduce((most, { version }) => Math.max(most, version), 1),
  }
}

function later(one: MemoryRelationship | undefined, other: MemoryRelationship): MemoryRelationship {
  return one && one.updated_at >= other.updated_at ? one : other
}

function conversationsOf({ source_conversation_ids, conversation_id }: MemoryRelationship): readonly string[] {
  return source_conversation_ids ?? (conversation_id === null ? [] : [conversation_id])
}

/** Sorted, each once. */
function union(edges: readonly MemoryRelationship[], values: (edge: MemoryRelationship) => readonly string[]): string[] {
  const all = new Set<string>()
  for (const edge of edges) for (const value of values(edge)) all.add(value)
  return all.size === 1 ? [...all] : [...all].sort()
}
