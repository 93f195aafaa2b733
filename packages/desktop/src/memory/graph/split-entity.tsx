// Takes apart an entry that was merged from several conversations by mistake.
import type { MemoryRelationshipEntity } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../../client/use-client.ts'
import { useRequest } from '../../client/use-request.ts'
import { SmallFold } from '../../part/fold.tsx'
import { Button } from '../../part/form/button.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { visibleName } from '../../text/name.ts'
import { entityName } from './entity-name.ts'

const told = memoryWords.graph

interface Props {
  readonly entity: MemoryRelationshipEntity
  readonly agent_id: string
  onDone(): void
}

export function SplitEntity(props: Props) {
  return (
    <div className="mt-3">
      <SmallFold summary={`${told.split}: ${told.conversations(props.entity.source_conversation_ids?.length ?? 0)}`}>
        {() => <SplitForm {...props} />}
      </SmallFold>
    </div>
  )
}

function SplitForm({ entity: { id: entity_id, source_entity_ids = [], source_conversation_ids = [] }, agent_id, onDone }: Props) {
  const client = useRuntimeClient()
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  // A conversation's own graph names the entry as it was stored there.
  const parts = useRequest(entity_id, async () => {
    const found: MemoryRelationshipEntity[] = []
    for (const conversation_id of source_conversation_ids) {
      const answer = await client.channel.call('memory_get_relationship_graph', { agent_id, conversation_id, around_entity_id: entity_id })
      if (!answer.ok) return answer
      found.push(...answer.value.entities)
    }
    return { ok: true as const, value: new Map(found.map((one) => [one.id, one])) }
  })
  const split = async () => {
    const rest = source_entity_ids.filter((id) => !apart.has(id))
    const answer = await client.call(memoryWords.doing.split, 'memory_split_entity', { agent_id, entity_id, parts: [rest, [...apart]] })
    if (answer.ok) onDone()
  }
  const toggle = (id: string) => {
    const next = new Set(apart)
    if (!next.delete(id)) next.add(id)
    setApart(next)
  }
  return (
    <RequestResult reading={parts}>
      {(stored) => (
        <fieldset>
          <legend className="mb-2 text-soft">{told.splitLead}</legend>
          <ul className="mb-2 space-y-1">
            {source_entity_ids.map((id, at) => (
              <li key={id}>
                <PartLine entity={stored.get(id)} at={at} isApart={apart.has(id)} onToggle={() => toggle(id)} />
              </li>
            ))}
          </ul>
          <Button disabled={apart.size === 0 || apart.size === source_entity_ids.length} onClick={split}>
            {told.splitSave}
          </Button>
        </fieldset>
      )}
    </RequestResult>
  )
}

interface PartProps {
  readonly entity: MemoryRelationshipEntity | undefined
  readonly at: number
  readonly isApart: boolean
  onToggle(): void
}

function PartLine({ entity, at, isApart, onToggle }: PartProps) {
  const title = useWindowState((state) =>
    entity?.conversation_id
      ? (state.conversations?.get(entity.conversation_id)?.title ?? told.unknownConversation)
      : told.unknownConversation,
  )
  const name = entity ? entityName(entity) : told.part(at + 1)
  return (
    <label className="flex cursor-pointer items-start gap-2">
      <input type="checkbox" checked={isApart} onChange={onToggle} className="mt-1 accent-(--cloud)" />
      <span className="min-w-0 break-words">{told.splitPart(name, visibleName(title))}</span>
    </label>
  )
}
