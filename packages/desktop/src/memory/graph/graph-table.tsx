// The same as the picture, as a table.
import { useState } from 'react'
import { Button } from '../../part/form/button.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleName } from '../../text/name.ts'
import { entityName, relationName } from './entity-name.ts'
import type { WholeGraph } from './read-graph.ts'

const told = memoryWords.graph
const atOnce = 100

export function GraphTable({ graph: { entities, edges }, onSelect }: { graph: WholeGraph; onSelect(entity_id: string): void }) {
  const [most, setMost] = useState(atOnce)
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const linked = new Set(edges.flatMap((edge) => [edge.subject_entity_id, edge.object_entity_id]))
  const alone = entities.filter(({ id }) => !linked.has(id))
  const name = (id: string) => {
    const entity = byId.get(id)
    return entity ? entityName(entity) : visibleName(id)
  }
  const entry = (id: string) => (
    <button
      type="button"
      aria-label={told.pick(name(id))}
      onClick={() => onSelect(id)}
      className="rounded break-words text-left text-cloud underline-offset-4 hover:underline"
    >
      {name(id)}
    </button>
  )
  const rows = [
    ...edges.map((edge) => ({ id: edge.id, from: edge.subject_entity_id, edge })),
    ...alone.map(({ id }) => ({ id, from: id, edge: null })),
  ]
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={told.views.table} className="overflow-x-auto">
        <Panel className="min-w-[36rem]">
          <table className="w-full text-left text-sm">
            <thead className="text-faint">
              <tr>
                <th className="px-3 py-2 font-normal">{told.from}</th>
                <th className="px-3 py-2 font-normal">{told.relation}</th>
                <th className="px-3 py-2 font-normal">{told.to}</th>
                <th className="px-3 py-2 font-normal">{told.source}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, most).map(({ id, from, edge }) => (
                <tr key={id} className="border-line border-t align-top">
                  <td className="px-3 py-2">{entry(from)}</td>
                  <td className="px-3 py-2">
                    {edge && relationName(edge, byId.get(from))}
                    {edge && edge.via_entity_ids.length > 0 && ` ${told.via} ${edge.via_entity_ids.map(name).join(', ')}`}
                  </td>
                  <td className="px-3 py-2">{edge && entry(edge.object_entity_id)}</td>
                  <td className="px-3 py-2 text-faint">{edge && told.sources[edge.relation_source]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Panel>
      </section>
      {rows.length > most && (
        <Button className="mt-3" onClick={() => setMost(most + atOnce)}>
          {memoryWords.more}
        </Button>
      )}
    </>
  )
}
