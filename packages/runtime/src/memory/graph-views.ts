// The relationship graph as it is shown. A view is kept for the few seconds in which its pages are read: merging it again for each page would
// take most of the time.
import type { MemoryRelationship, MemoryRelationshipEntity } from '@tandem/contract/memory'
import type { Clock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { GraphRecords } from './record/graph-records.ts'
import { applySplits } from './rule/graph/split.ts'
import { type GraphOptions, graphView } from './rule/graph/view.ts'

export interface ShownGraph {
  readonly entities: readonly MemoryRelationshipEntity[]
  /** Ordered by id, as pages are. */
  readonly edges: readonly MemoryRelationship[]
  /** The entities that have an edge. */
  readonly linked: ReadonlySet<string>
}

export interface GraphViews {
  of(agent_id: string, options: GraphOptions): ShownGraph
  /** Those of the view of an agent. They take half of the time of the whole view. */
  entities(agent_id: string): readonly MemoryRelationshipEntity[]
}

interface GraphViewPorts {
  readonly store: Pick<Store, 'sql'>
  readonly clock: Clock
  readonly graph: GraphRecords
  /** Brings the graph up to date. */
  refresh(): void
}

const kept_ms = 10_000

export function openGraphViews({ store, clock, graph, refresh }: GraphViewPorts): GraphViews {
  const { sql } = store
  let last: { readonly key: string; readonly shown: ShownGraph } | null = null
  let cancelDrop: () => void = () => undefined

  /** Changes with every write to the graph, by this process or by another. */
  function version(): string {
    return `${graph.revision()} ${sql.get<{ data_version: number }>`PRAGMA data_version`?.data_version}`
  }

  function shownGraph(agent_id: string, options: GraphOptions): ShownGraph {
    const { conversation_id } = options
    const entities = applySplits(graph.entities(agent_id, conversation_id), graph.splits())
    const view = graphView({ entities, edges: graph.edges(agent_id, conversation_id) }, options)
    return {
      entities: view.entities,
      edges: view.edges.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      linked: new Set(view.edges.flatMap((edge) => [edge.subject_entity_id, edge.object_entity_id])),
    }
  }

  return {
    entities(agent_id) {
      refresh()
      return graphView({ entities: applySplits(graph.entities(agent_id), graph.splits()), edges: [] }, { view: 'agent' }).entities
    },
    of(agent_id, options) {
      refresh()
      const key = JSON.stringify([version(), agent_id, options])
      if (last?.key !== key) last = { key, shown: shownGraph(agent_id, options) }
      cancelDrop()
      cancelDrop = clock.after(kept_ms, () => {
        last = null
      })
      return last.shown
    },
  }
}
