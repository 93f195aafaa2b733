// One memory: where it was learned, its versions, what it conflicts with, and everything the user can do with it.
import type { CommandResult } from '@tandem/contract/command'
import type { Memory } from '@tandem/contract/memory'
import { type ReactNode, useState } from 'react'
import { followLink } from '../address.ts'
import { useCommand } from '../client/use-request.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { isUnknown } from '../part/unknown.ts'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { SideBySide } from './conflict.tsx'
import { EditMemory } from './edit-memory.tsx'
import { Forgotten, type WhatRemains } from './forget.tsx'
import { MemoryActions } from './memory-actions.tsx'
import { MemoryFacts } from './memory-facts.tsx'
import { MemoryBadges, MemoryLine } from './memory-line.tsx'
import { MemorySources } from './memory-sources.tsx'
import { ProcedureSteps } from './procedure-steps.tsx'

export function MemoryPage({ memory_id }: { memory_id: string }) {
  const reading = useCommand('memory_get', { memory_id })
  const [remains, setRemains] = useState<WhatRemains | null>(null)
  const { state: asked } = reading
  const isGone = asked.state === 'failed' && isUnknown(asked.error)
  return (
    <PageLayout title={memoryWords.one} lead="">
      <p className="mb-4 text-sm">
        <a href="/memory" onClick={followLink} className="text-cloud underline underline-offset-4">
          {memoryWords.back}
        </a>
      </p>
      <Forgotten what={remains} />
      {remains !== null ? null : isGone ? (
        <EmptyState>{memoryWords.gone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{(value) => <Opened detail={value} again={reading.reload} onForgot={setRemains} />}</RequestResult>
      )}
    </PageLayout>
  )
}

interface Props {
  readonly detail: CommandResult<'memory_get'>
  again(): Promise<void>
  onForgot(what: WhatRemains): void
}

function Opened({ detail, again, onForgot }: Props) {
  const [editing, setEditing] = useState(false)
  const { memory, related, versions, sources, decisions, not_used_because } = detail
  const others = related.filter(({ id }) => memory.conflicts_with.includes(id))
  const replaced = related.filter(({ id }) => !memory.conflicts_with.includes(id))
  const saved = () => {
    setEditing(false)
    void again()
  }
  return (
    <>
      <Panel className="mb-8 p-4">
        <p dir="auto" className="mb-2 whitespace-pre-wrap break-words text-lg">
          {visibleText(memory.content)}
        </p>
        <p className="mb-3 flex flex-wrap gap-1.5">
          <MemoryBadges memory={memory} />
        </p>
        {not_used_because !== null && (
          <p className="mb-3 break-words rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            {memoryWords.notUsed}:{' '}
            {memory.state_reason === null ? visibleText(not_used_because) : `${memoryWords.reasons[memory.state_reason]}.`}
          </p>
        )}
        <MemoryActions memory={memory} isEditing={editing} onEdit={() => setEditing(!editing)} again={again} onForgot={onForgot} />
        {editing && <EditMemory memory={memory} onDone={saved} />}
      </Panel>
      {others.length > 0 && (
        <Section title={memoryWords.views.conflicts} lead={memoryWords.viewLeads.conflicts}>
          <SideBySide memory={memory} others={others} isUsed={not_used_because === null} onDecided={() => void again()} />
        </Section>
      )}
      {decisions.length > 0 && <p className="mb-6 text-soft text-sm">{memoryWords.decisions(decisions.length)}</p>}
      {memory.procedure && <ProcedureSteps steps={memory.procedure.steps} />}
      <Section title={memoryWords.sources}>
        <MemorySources sources={sources} />
      </Section>
      <MemoryFacts memory={memory} />
      {replaced.length > 0 && (
        <Lines title={memoryWords.related} memories={replaced}>
          {(one) => <MemoryLine memory={one} />}
        </Lines>
      )}
      {versions.length > 0 && (
        <Lines title={memoryWords.versions} memories={versions.toReversed()}>
          {(one) => (
            <>
              <p className="text-faint text-sm">{memoryWords.version(one.version, formatTime(one.updated_at))}</p>
              <p className="break-words">{visibleText(one.content)}</p>
            </>
          )}
        </Lines>
      )}
    </>
  )
}

interface LinesProps {
  readonly title: string
  readonly memories: readonly Memory[]
  children(memory: Memory): ReactNode
}

function Lines({ title, memories, children }: LinesProps) {
  return (
    <Section title={title}>
      <Panel>
        <ul className="divide-y divide-line">
          {memories.map((one) => (
            <li key={`${one.id} ${one.version}`} className="px-4 py-3">
              {children(one)}
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
