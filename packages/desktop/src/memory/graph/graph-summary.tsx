// How large the relationship graph is, and what most of it is about.
import type { CommandResult } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { RequestResult } from '../../part/request-result.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { memoryEvents } from '../memory-events.ts'
import { entityName } from './entity-name.ts'

const told = memoryWords.graph
const mostNames = 4

export function GraphSummary({ agent_id }: { agent_id: string }) {
  const version = useNewestEventNumber(memoryEvents)
  const graph = useCommand('memory_get_relationship_graph', { agent_id, limit: limits.list }, { version })
  return <RequestResult reading={graph}>{(page) => <Summary page={page} />}</RequestResult>
}

function Summary({ page }: { page: CommandResult<'memory_get_relationship_graph'> }) {
  const { entities, edges, next_cursor } = page
  if (entities.length === 0) return <p className="text-faint">{told.none}</p>
  const names = mostConnected(page).map(entityName)
  return (
    <>
      <p>{told.sums(entities.length, edges.length, next_cursor !== null)}</p>
      {names.length > 0 && <p className="mt-1 break-words">{told.mostConnected(names)}</p>}
    </>
  )
}

function mostConnected({ entities, edges }: CommandResult<'memory_get_relationship_graph'>) {
  const degrees = new Map<string, number>()
  for (const { subject_entity_id, object_entity_id } of edges)
    for (const id of [subject_entity_id, object_entity_id]) degrees.set(id, (degrees.get(id) ?? 0) + 1)
  const degreeOf = ({ id }: { id: string }) => degrees.get(id) ?? 0
  return entities
    .filter((entity) => degreeOf(entity) > 0)
    .toSorted((left, right) => degreeOf(right) - degreeOf(left) || (left.id < right.id ? -1 : 1))
    .slice(0, mostNames)
}
