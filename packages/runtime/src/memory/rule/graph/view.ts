// The relationship graph as it is shown: of one conversation, or of an agent with the nodes and edges of its conversations merged. Pure.
import type { MemoryRelationship, MemoryRelationshipEntity, RelationshipEdgeKind, RelationshipEntityKind } from '@tandem/contract/memory'
import { type MergeableEntity, mergeEntities } from './entities.ts'
import { mergeEdges } from './merge-edges.ts'

export interface Graph {
  readonly entities: readonly MergeableEntity[]
  readonly edges: readonly MemoryRelationship[]
}

export interface GraphOptions {
  readonly view: 'conversation' | 'agent'
  /** For the view of a conversation. */
  readonly conversation_id?: string
  readonly entity_kinds?: readonly RelationshipEntityKind[]
  readonly edge_kinds?: readonly RelationshipEdgeKind[]
  /** A node, or one of the entities merged into it. */
  readonly around_entity_id?: string
  readonly max_hops?: number
}

export interface GraphView {
  readonly view: 'conversation' | 'agent'
  /** Ordered by id. */
  readonly entities: readonly MemoryRelationshipEntity[]
  /** The heaviest first. */
  readonly edges: readonly MemoryRelationship[]
}

const defaultHops = 2

/** An edge with an end that is not in the view is left out, and so is one whose path leads through another conversation. */
export function graphView(graph: Graph, options: GraphOptions): GraphView {
  const { view, entity_kinds, edge_kinds, around_entity_id, max_hops = defaultHops } = options
  const { entities, edges } = view === 'agent' ? graph : ofConversation(graph, options.conversation_id)
  const nodes = mergeEntities(entities)
  const nodeOf = new Map<string, string>()
  for (const { id, source_entity_ids = [id] } of nodes) for (const source of source_entity_ids) nodeOf.set(source, id)
  const shown = entity_kinds ? nodes.filter(({ entity_kind }) => entity_kinds.includes(entity_kind)) : nodes
  const ids = new Set(shown.map(({ id }) => id))
  const wanted = edge_kinds ? edges.filter(({ edge_kind }) => edge_kinds.includes(edge_kind)) : edges
  const merged = mergeEdges(wanted, nodeOf).filter((edge) => ids.has(edge.subject_entity_id) && ids.has(edge.object_entity_id))
  if (around_entity_id === undefined) return { view, entities: shown.map(withoutSplits), edges: merged }
  const center = nodeOf.get(around_entity_id)
  const near = center !== undefined && ids.has(center) ? within(center, merged, max_hops) : new Set<string>()
  return {
    view,
    entities: shown.filter(({ id }) => near.has(id)).map(withoutSplits),
    edges: merged.filter((edge) => near.has(edge.subject_entity_id) && near.has(edge.object_entity_id)),
  }
}

function ofConversation({ entities, edges }: Graph, conversation_id: string | undefined): Graph {
  const isHere = (one: { readonly conversation_id: string | null }) =>
    one.conversation_id !== null && one.conversation_id === conversation_id
  return { entities: entities.filter(isHere), edges: edges.filter(isHere) }
}

/** The nodes at most so many edges away from `center`, in either direction. */
function within(center: string, edges: readonly MemoryRelationship[], hops: number): ReadonlySet<string> {
  const neighbors = new Map<string, string[]>()
  const connect = (from: string, to: string) => {
    const list = neighbors.get(from)
    if (list) list.push(to)
    else neighbors.set(from, [to])
  }
  for (const { subject_entity_id, object_entity_id } of edges) {
    connect(subject_entity_id, object_entity_id)
    connect(object_entity_id, subject_entity_id)
  }
  const seen = new Set([center])
  let edge: readonly string[] = [center]
  for (let hop = 0; hop < hops && edge.length > 0; hop += 1) {
    edge = edge.flatMap((id) => neighbors.get(id) ?? []).filter((id) => !seen.has(id) && seen.add(id))
  }
  return seen
}

function withoutSplits({ split_from: _split, kept_with: _kept, ...entity }: MergeableEntity): MemoryRelationshipEntity {
  return entity
}
