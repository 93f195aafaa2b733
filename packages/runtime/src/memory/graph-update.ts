// Computes the relationship graph of one conversation again, in slices. What stays in its conversation is not in it: the graph of an agent
// is that of all its conversations.
import type { Memory } from '@tandem/contract/memory'
import type { SlicedWork } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import type { EntityDraft, GraphRecords } from './record/graph-records.ts'
import type { Memories } from './record/memories.ts'
import { newestFirst } from './record/newest-first.ts'
import { edgesFrom, entitiesOf } from './rule/graph/edges.ts'
import { entityLookup } from './rule/graph/entity-lookup.ts'
import { inferEdges } from './rule/graph/infer.ts'
import { compileMentionPatterns } from './rule/graph/mentions.ts'

export interface GraphUpdatePorts {
  readonly store: Pick<Store, 'newId'>
  readonly memories: Memories
  readonly graph: GraphRecords
  isRecallable(memory: Memory): boolean
}

/** Until the end, the graph may be half written: the caller starts again if the memories change meanwhile. */
export function* updateGraph(ports: GraphUpdatePorts, agent_id: string, conversation_id: string | null): SlicedWork<void> {
  const { store, memories, graph, isRecallable } = ports
  yield* compileMentionPatterns()
  const found = yield* newestFirst((before, limit) => memories.learnedIn(conversation_id, agent_id, before, limit))
  const list: Memory[] = []
  for (const memory of found.toReversed()) {
    if (!memory.only_in_conversation && isRecallable(memory)) list.push(memory)
    yield
  }
  const before = graph.entities(agent_id, conversation_id)
  yield
  const lookup = entityLookup(before)
  yield
  const stored: EntityDraft[] = []
  for (const entity of yield* findMentioned(list)) {
    const match = lookup.find(entity)
    if (match) lookup.set(match.place, undefined)
    const { canonical_name, aliases, entity_kind, ontology_domain, mention_count } = entity
    stored.push({
      id: match?.entity.id ?? store.newId(),
      agent_id,
      conversation_id,
      entity_kind,
      canonical_name: canonical_name.slice(0, 500),
      ontology_domain,
      aliases: [...aliases].slice(0, 100),
      mention_count,
    })
    yield
  }
  yield* graph.putEntities(stored, before)
  const kept = new Set(stored.map(({ id }) => id))
  graph.removeEntities(before.filter(({ id }) => !kept.has(id)).map(({ id }) => id))
  const stated: Stated[] = []
  for (const memory of list) {
    stated.push(...edgesFrom(memory, stored))
    yield
  }
  const all = [...summed(stated), ...inferEdges(stated)].map((edge) => ({ ...edge, agent_id, conversation_id }))
  yield
  yield* graph.setEdges(agent_id, conversation_id, all)
}

type Mentioned = ReturnType<typeof entitiesOf>[number]

/** The entities that the memories mention, in the order of their first mention. */
function* findMentioned(memories: readonly Memory[]): SlicedWork<readonly Mentioned[]> {
  const found: Mentioned[] = []
  const lookup = entityLookup<Mentioned>()
  for (const memory of memories) {
    for (const entity of entitiesOf(memory)) {
      const same = lookup.find(entity)
      const place = same?.place ?? found.length
      found[place] = same ? joined(same.entity, entity) : entity
      lookup.set(place, found[place])
    }
    yield
  }
  return found
}

/** The same entity, mentioned twice: the longer name is its name. */
function joined(left: Mentioned, right: Mentioned): Mentioned {
  const [name, other] =
    right.canonical_name.length > left.canonical_name.length
      ? [right.canonical_name, left.canonical_name]
      : [left.canonical_name, right.canonical_name]
  const aliases = new Set([...left.aliases, ...right.aliases, other])
  aliases.delete(name)
  return { ...left, canonical_name: name, aliases: [...aliases], mention_count: left.mention_count + right.mention_count }
}

type Stated = ReturnType<typeof edgesFrom>[number]

/** Edges with the same ends are one, with the memories of all. */
function summed(edges: readonly Stated[]): readonly Stated[] {
  const byEnds = new Map<string, Stated>()
  for (const edge of edges) {
    const key = [edge.edge_kind, edge.subject_entity_id, edge.object_entity_id].join('\n')
    const before = byEnds.get(key)
    byEnds.set(
      key,
      before
        ? {
            ...before,
            edge_weight: Math.min(1_000_000, before.edge_weight + edge.edge_weight),
            memory_ids: [...new Set([...before.memory_ids, ...edge.memory_ids])],
            ontology_tags: [...new Set([...before.ontology_tags, ...edge.ontology_tags])].slice(0, 50),
          }
        : edge,
    )
  }
  return [...byEnds.values()]
}
