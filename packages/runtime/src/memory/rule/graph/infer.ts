// Two-hop edges: what two stated or observed edges that meet in one entity imply. Pure.
import type { MemoryRelationship, RelationshipEdgeKind, RelationshipEntityKind } from '@tandem/contract/memory'

/** An edge before the store gives it an id, its owner and times. */
export type NewEdge = Omit<MemoryRelationship, 'id' | 'agent_id' | 'created_at' | 'updated_at' | 'version'>

interface Hop {
  readonly edge_kind: RelationshipEdgeKind
  readonly from: RelationshipEntityKind
  readonly to: RelationshipEntityKind
}

export interface InferenceRule {
  readonly first: Hop
  readonly second: Hop
  /** Where the second edge meets the first: it continues from its object, or it has the same object. */
  readonly meets: 'continues' | 'same_object'
  readonly gives: RelationshipEdgeKind
  readonly subject_role: string
  readonly object_role: string
  /** Less than one: an inferred edge is weaker than both that it rests on. */
  readonly weight: number
}

const hop = (from: RelationshipEntityKind, edge_kind: RelationshipEdgeKind, to: RelationshipEntityKind): Hop => ({ from, edge_kind, to })

export const inferenceRules: readonly InferenceRule[] = [
  {
    first: hop('stakeholder', 'operates_on', 'workflow'),
    second: hop('workflow', 'operates_on', 'resource'),
    meets: 'continues',
    gives: 'operates_on',
    subject_role: 'operator of the workflow',
    object_role: 'used by the workflow',
    weight: 0.6,
  },
  {
    first: hop('stakeholder', 'operates_on', 'workflow'),
    second: hop('workflow', 'expects_update_via', 'channel'),
    meets: 'continues',
    gives: 'expects_update_via',
    subject_role: 'operator of the workflow',
    object_role: 'channel of the workflow',
    weight: 0.4,
  },
  {
    first: hop('constraint', 'shapes_output_for', 'workflow'),
    second: hop('workflow', 'operates_on', 'resource'),
    meets: 'continues',
    gives: 'protects',
    subject_role: 'rule of the workflow',
    object_role: 'used by the workflow',
    weight: 0.5,
  },
  {
    first: hop('constraint', 'shapes_output_for', 'stakeholder'),
    second: hop('stakeholder', 'protects', 'resource'),
    meets: 'continues',
    gives: 'protects',
    subject_role: 'rule of its guardian',
    object_role: 'guarded resource',
    weight: 0.5,
  },
  {
    first: hop('constraint', 'protects', 'resource'),
    second: hop('workflow', 'operates_on', 'resource'),
    meets: 'same_object',
    gives: 'shapes_output_for',
    subject_role: 'rule of its resource',
    object_role: 'workflow on a protected resource',
    weight: 0.6,
  },
  {
    first: hop('constraint', 'protects', 'resource'),
    second: hop('stakeholder', 'operates_on', 'resource'),
    meets: 'same_object',
    gives: 'shapes_output_for',
    subject_role: 'rule of the resource',
    object_role: 'operator of a protected resource',
    weight: 0.5,
  },
  {
    first: hop('preference', 'shapes_output_for', 'workflow'),
    second: hop('stakeholder', 'operates_on', 'workflow'),
    meets: 'same_object',
    gives: 'shapes_output_for',
    subject_role: 'preference for the workflow',
    object_role: 'operator of the workflow',
    weight: 0.4,
  },
  {
    first: hop('constraint', 'shapes_output_for', 'workflow'),
    second: hop('stakeholder', 'operates_on', 'workflow'),
    meets: 'same_object',
    gives: 'shapes_output_for',
    subject_role: 'rule of the workflow',
    object_role: 'operator of the workflow',
    weight: 0.5,
  },
]

/** Of the edges at one entity, only the strongest are combined, so that an entity with very many edges does not square them. */
const mostAtOneEntity = 50

type InferableEdge = NewEdge & { readonly id?: string }

/**
 * The edges that follow from pairs of `edges`, ordered by their ends. Inferred edges imply nothing further, and what is known directly is
 * not inferred. Of several ways to one edge, the strongest counts.
 */
export function inferEdges(edges: readonly InferableEdge[]): readonly NewEdge[] {
  const direct = edges.filter(({ relation_source, edge_weight }) => relation_source !== 'inferred' && edge_weight > 0)
  const known = new Set(direct.map(endsOf))
  const bySubject = indexed(direct, ({ subject_entity_id }) => subject_entity_id)
  const byObject = indexed(direct, ({ object_entity_id }) => object_entity_id)
  const found = new Map<string, NewEdge>()
  for (const rule of inferenceRules) {
    const seconds = rule.meets === 'continues' ? bySubject : byObject
    for (const [key, firsts] of byObject) {
      if (!key.endsWith(hopKey(rule.first))) continue
      const via = key.slice(0, key.indexOf('\n'))
      for (const first of firsts) {
        for (const second of seconds.get(`${via}\n${hopKey(rule.second)}`) ?? []) {
          const edge = inferredEdge(rule, first, second, via)
          const ends = endsOf(edge)
          if (edge.subject_entity_id === edge.object_entity_id || known.has(ends)) continue
          const before = found.get(ends)
          if (!before || isStronger(edge, before)) found.set(ends, edge)
        }
      }
    }
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, edge]) => edge)
}

/** The kinds along an edge, in turn: entity, edge, entity, … */
export function pathOf(...steps: readonly (RelationshipEntityKind | RelationshipEdgeKind)[]): string[] {
  return [...steps]
}

function inferredEdge(rule: InferenceRule, first: NewEdge, second: NewEdge, via: string): NewEdge {
  const continues = rule.meets === 'continues'
  const end = continues ? second.object_entity_id : second.subject_entity_id
  const last = continues ? rule.second.to : rule.second.from
  const conversations = [...new Set([first, second].flatMap(conversationsOf))].sort()
  return {
    conversation_id: first.conversation_id === second.conversation_id ? first.conversation_id : null,
    edge_kind: rule.gives,
    subject_entity_id: first.subject_entity_id,
    object_entity_id: end,
    via_entity_ids: [via],
    ontology_tags: [...new Set([...first.ontology_tags, ...second.ontology_tags])].sort().slice(0, 50),
    edge_weight: Math.min(first.edge_weight, second.edge_weight) * rule.weight,
    relation_source: 'inferred',
    subject_role: rule.subject_role,
    object_role: rule.object_role,
    ontology_path: pathOf(rule.first.from, rule.first.edge_kind, rule.first.to, rule.second.edge_kind, last),
    interaction_pattern: rule.gives === 'expects_update_via' ? second.interaction_pattern : null,
    memory_ids: [...new Set([...first.memory_ids, ...second.memory_ids])].sort(),
    source_conversation_ids: conversations,
  }
}

function conversationsOf(edge: NewEdge): readonly string[] {
  return edge.source_conversation_ids ?? (edge.conversation_id === null ? [] : [edge.conversation_id])
}

/** The edges at each entity by their kinds, strongest first. */
function indexed(
  edges: readonly InferableEdge[],
  entityOf: (edge: InferableEdge) => string,
): ReadonlyMap<string, readonly InferableEdge[]> {
  const index = new Map<string, InferableEdge[]>()
  for (const edge of edges) {
    const [from, , to] = edge.ontology_path
    const key = `${entityOf(edge)}\n${from} ${edge.edge_kind} ${to}`
    const list = index.get(key)
    if (list) list.push(edge)
    else index.set(key, [edge])
  }
  for (const [key, list] of index) index.set(key, list.sort(byStrength).slice(0, mostAtOneEntity))
  return index
}

function byStrength(left: InferableEdge, right: InferableEdge): number {
  return right.edge_weight - left.edge_weight || (orderKey(left) < orderKey(right) ? -1 : 1)
}

function isStronger(one: NewEdge, other: NewEdge): boolean {
  return one.edge_weight !== other.edge_weight ? one.edge_weight > other.edge_weight : orderKey(one) < orderKey(other)
}

function orderKey(edge: InferableEdge): string {
  return [endsOf(edge), ...edge.via_entity_ids, ...edge.ontology_path, ...edge.memory_ids, edge.conversation_id, edge.id].join('\n')
}

function endsOf({ edge_kind, subject_entity_id, object_entity_id }: NewEdge): string {
  return `${subject_entity_id} ${edge_kind} ${object_entity_id}`
}

function hopKey({ from, edge_kind, to }: Hop): string {
  return `${from} ${edge_kind} ${to}`
}
