import { type EntityType, entityTypeNames, merge } from '@tandem/contract/sync'
import { useState } from 'react'
import { Badge, type Tone } from '../../part/badge.tsx'
import { Choice } from '../../part/choice.tsx'
import { Panel } from '../../part/section.tsx'
import { strings } from '../../strings/map.ts'
import { entityAfter, firstDrafts, writeOf } from './draft.ts'
import { WriteEditor } from './write-editor.tsx'

export function Playground() {
  const [entityType, setEntityType] = useState<EntityType>('agents')
  const [stored, setStored] = useState(firstDrafts.stored)
  const [incoming, setIncoming] = useState(firstDrafts.incoming)
  return (
    <Panel>
      <div className="border-line border-b p-5">
        <Choice label={strings.sync.entity_type} values={entityTypeNames} value={entityType} onChange={setEntityType} />
      </div>
      <div className="grid md:grid-cols-2">
        <div className="p-5">
          <WriteEditor title={strings.sync.stored} entityType={entityType} draft={stored} onChange={setStored} />
        </div>
        <div className="border-line border-t p-5 md:border-t-0 md:border-l">
          <WriteEditor title={strings.sync.incoming} entityType={entityType} draft={incoming} onChange={setIncoming} />
        </div>
      </div>
      <Verdict entityType={entityType} stored={writeOf(entityType, stored)} incoming={writeOf(entityType, incoming)} />
    </Panel>
  )
}

const tones: Record<ReturnType<typeof merge>['verdict'], Tone> = {
  applied: 'good',
  merged: 'good',
  duplicate: 'plain',
  stale: 'warn',
  rejected: 'bad',
}

type Write = ReturnType<typeof writeOf>

function Verdict({ entityType, stored, incoming }: { entityType: EntityType; stored: Write; incoming: Write }) {
  const words = strings.sync
  const outcome = merge(entityType, stored, incoming)
  const other = merge(entityType, incoming, stored)
  const same = entityAfter(entityType, stored, incoming)?.content_hash === entityAfter(entityType, incoming, stored)?.content_hash
  return (
    <div className="rounded-b-xl border-line border-t bg-sunken p-5" role="status">
      <p className="mb-1 text-faint text-sm">{words.verdict}</p>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[outcome.verdict]}>
          <code className="font-semibold text-[15px]">{outcome.verdict}</code>
        </Badge>
        <span>{words.meaning[outcome.verdict]}</span>
      </p>
      {outcome.verdict === 'rejected' && (
        <p className="mt-1 text-soft">
          <code>{outcome.code}</code>: {outcome.message}
        </p>
      )}
      {outcome.verdict === 'merged' && (
        <pre className="mt-2 whitespace-pre-wrap break-words font-mono text-[13px] text-soft">
          {outcome.todos.map((item) => JSON.stringify(item)).join('\n')}
        </pre>
      )}
      <p className="mt-4 text-soft text-sm">
        {words.other_way}: <code>{other.verdict}</code>. {same ? words.same_end : words.different_end}
      </p>
    </div>
  )
}
