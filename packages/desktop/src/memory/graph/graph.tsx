// The people and things an agent knows and how they relate, as a picture and as a table.
import {
  type RelationshipEdgeKind,
  type RelationshipEntityKind,
  relationshipEdgeKinds,
  relationshipEntityKinds,
} from '@tandem/contract/memory'
import { useMemo, useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useNewestEventNumber, useRequest } from '../../client/use-request.ts'
import { Choice } from '../../part/form/choice.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Section } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { memoryEvents } from '../memory-events.ts'
import { EntityPanel } from './entity-panel.tsx'
import { entityColors } from './graph-colors.ts'
import { everything, type GraphFilter, shownGraph, toggled } from './graph-filter.ts'
import { GraphPicture } from './graph-picture.tsx'
import { shapeInLegend } from './graph-shapes.ts'
import { GraphTable } from './graph-table.tsx'
import { KindToggles } from './kind-toggles.tsx'
import { readGraph, type WholeGraph } from './read-graph.ts'

const told = memoryWords.graph
const views = ['picture', 'table'] as const

export function Graph({ agent_id }: { agent_id: string }) {
  const { channel } = useRuntimeClient()
  const reading = useRequest(agent_id, () => readGraph(channel, agent_id), { version: useNewestEventNumber(memoryEvents) })
  return (
    <Section title={told.title} lead={told.lead}>
      <RequestResult reading={reading}>
        {(graph) =>
          graph.entities.length === 0 ? (
            <EmptyState>{told.none}</EmptyState>
          ) : (
            <ShownGraph graph={graph} agent_id={agent_id} again={() => void reading.reload()} />
          )
        }
      </RequestResult>
    </Section>
  )
}

function ShownGraph({ graph, agent_id, again }: { graph: WholeGraph; agent_id: string; again(): void }) {
  const [view, setView] = useState<(typeof views)[number]>('picture')
  const [filter, setFilter] = useState<GraphFilter>(everything)
  const [selected, setSelected] = useState<string | null>(null)
  const shown = useMemo(() => shownGraph(graph, filter), [graph, filter])
  const entity = shown.entities.find(({ id }) => id === selected)
  const toggleEntity = (kind: RelationshipEntityKind) => setFilter({ ...filter, hiddenEntities: toggled(filter.hiddenEntities, kind) })
  const toggleEdge = (kind: RelationshipEdgeKind) => setFilter({ ...filter, hiddenEdges: toggled(filter.hiddenEdges, kind) })
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-x-8 gap-y-3">
        <Choice label={told.view} values={views} value={view} onChange={setView} nameOf={(one) => told.views[one]} mono={false} />
        <KindToggles
          label={told.entityKinds}
          kinds={relationshipEntityKinds}
          hidden={filter.hiddenEntities}
          onToggle={toggleEntity}
          nameOf={(kind) => told.entities[kind]}
          lookOf={(kind) => ({ background: entityColors[kind], clipPath: shapeInLegend(kind) })}
        />
        <KindToggles
          label={told.edgeKinds}
          kinds={relationshipEdgeKinds}
          hidden={filter.hiddenEdges}
          onToggle={toggleEdge}
          nameOf={(kind) => told.edges[kind]}
        />
      </div>
      <p role="status" className="mb-2 text-faint text-sm">
        {told.sums(shown.entities.length, shown.edges.length)} {graph.isCut && told.cut(graph.edges.length)}
      </p>
      {entity && (
        <EntityPanel
          key={entity.id}
          entity={entity}
          graph={graph}
          agent_id={agent_id}
          onSelect={setSelected}
          onSplit={() => {
            setSelected(null)
            again()
          }}
        />
      )}
      {shown.entities.length === 0 ? (
        <EmptyState>{told.noMatch}</EmptyState>
      ) : view === 'picture' ? (
        <GraphPicture graph={shown} selected={entity?.id ?? null} onSelect={setSelected} />
      ) : (
        <GraphTable graph={shown} onSelect={setSelected} />
      )}
    </>
  )
}
