// The part of the graph that is shown. Pure.
import type { RelationshipEdgeKind, RelationshipEntityKind } from '@tandem/contract/memory'
import type { WholeGraph } from './read-graph.ts'

/** The kinds that are not shown: everything is shown at first, also kinds of a newer version. */
export interface GraphFilter {
  readonly hiddenEntities: ReadonlySet<RelationshipEntityKind>
  readonly hiddenEdges: ReadonlySet<RelationshipEdgeKind>
}

export const everything: GraphFilter = { hiddenEntities: new Set(), hiddenEdges: new Set() }

/** An edge is shown if both its ends are. */
export function shownGraph({ entities, edges, isCut }: WholeGraph, { hiddenEntities, hiddenEdges }: GraphFilter): WholeGraph {
  const shown = entities.filter(({ entity_kind }) => !hiddenEntities.has(entity_kind))
  const ids = new Set(shown.map(({ id }) => id))
  return {
    entities: shown,
    edges: edges.filter((edge) => !hiddenEdges.has(edge.edge_kind) && ids.has(edge.subject_entity_id) && ids.has(edge.object_entity_id)),
    isCut,
  }
}

export function toggled<Kind>(set: ReadonlySet<Kind>, kind: Kind): ReadonlySet<Kind> {
  const next = new Set(set)
  if (!next.delete(kind)) next.add(kind)
  return next
}
