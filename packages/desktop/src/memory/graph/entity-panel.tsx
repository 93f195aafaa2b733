// One entry of the graph: what is known about it, the memories behind it, and splitting a wrong merge.
import type { MemoryRelationshipEntity } from '@tandem/contract/memory'
import { followLink, memoryAddress } from '../../address.ts'
import { Badge } from '../../part/badge.tsx'
import { Button } from '../../part/form/button.tsx'
import { Panel } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleName } from '../../text/name.ts'
import { entityName, objectName, relationName } from './entity-name.ts'
import type { WholeGraph } from './read-graph.ts'
import { SplitEntity } from './split-entity.tsx'

const told = memoryWords.graph
const mostRelations = 50

interface Props {
  readonly entity: MemoryRelationshipEntity
  readonly graph: WholeGraph
  readonly agent_id: string
  onSelect(entity_id: string | null): void
  onSplit(): void
}

export function EntityPanel({ entity, graph: { entities, edges }, agent_id, onSelect, onSplit }: Props) {
  const { id, canonical_name, entity_kind, aliases, ontology_domain, mention_count, source_entity_ids = [] } = entity
  const byId = new Map(entities.map((one) => [one.id, one]))
  const mine = edges.filter((edge) => edge.subject_entity_id === id || edge.object_entity_id === id)
  const memories = [...new Set(mine.flatMap(({ memory_ids }) => memory_ids))]
  const others = aliases.filter((alias) => alias !== canonical_name)
  return (
    <Panel className="mb-4 p-4">
      <div className="mb-2 flex flex-wrap items-start justify-between gap-2">
        <h3 className="min-w-0 break-words font-medium">
          {entityName(entity)} <Badge>{told.entity[entity_kind]}</Badge>
        </h3>
        <Button onClick={() => onSelect(null)}>{told.clear}</Button>
      </div>
      <p className="mb-2 break-words text-soft text-sm">
        {told.domain}: {visibleName(ontology_domain)} · {told.mentions}: {mention_count}
        {others.length > 0 && ` · ${told.aliases}: ${others.map(visibleName).join(', ')}`}
      </p>
      <ul aria-label={told.relations} className="mb-2 max-h-48 space-y-1 overflow-y-auto text-sm">
        {mine.length === 0 && <li className="text-faint">{told.noRelations}</li>}
        {mine.slice(0, mostRelations).map((edge) => {
          const [from, to] = [byId.get(edge.subject_entity_id), byId.get(edge.object_entity_id)]
          const other = from?.id === id ? to : from
          if (!from || !to || !other) return null
          return (
            <li key={edge.id} className="break-words">
              {entityName(from)} <span className="text-faint">{relationName(edge, from)}</span> {objectName(to)}{' '}
              <button
                type="button"
                aria-label={told.pick(entityName(other))}
                onClick={() => onSelect(other.id)}
                className="rounded text-cloud underline underline-offset-4"
              >
                {told.open}
              </button>
            </li>
          )
        })}
      </ul>
      {memories.length > 0 && (
        <p className="text-sm">
          <span className="text-faint">{told.memories}:</span>{' '}
          {memories.slice(0, mostRelations).map((memory_id, at) => (
            <a
              key={memory_id}
              href={memoryAddress(memory_id)}
              onClick={followLink}
              className="mr-2 text-cloud underline underline-offset-4"
            >
              {told.memoryNumber(at + 1)}
            </a>
          ))}
        </p>
      )}
      {source_entity_ids.length > 1 && <SplitEntity entity={entity} agent_id={agent_id} onDone={onSplit} />}
    </Panel>
  )
}
