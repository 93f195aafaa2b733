// Lessons that runs propose to remember. Only a person commits one.
import type { MemoryWritebackCandidate } from '@tandem/contract/learning'
import { useState } from 'react'
import { followLink, memoryAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { usePages } from '../client/use-pages.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { learningWords } from '../strings/learning.ts'
import { memoryWords } from '../strings/memory.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import type { AgentFilter } from './filter.ts'
import { learningEvents } from './learning-events.ts'
import { RunLink } from './run-link.tsx'

const told = learningWords.memories
const size = 100

export function MemoryCandidates({ filter }: { filter: AgentFilter }) {
  const read = usePages('memory_list_writeback_candidates', filter, { size, version: useNewestEventNumber(learningEvents) })
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) => {
        if (items.length === 0) return <EmptyState>{told.none}</EmptyState>
        const parts = [
          [told.pending, items.filter(({ state }) => state === 'pending')],
          [told.decided, items.filter(({ state }) => state !== 'pending')],
        ] as const
        return (
          <>
            {parts.map(
              ([title, some]) =>
                some.length > 0 && (
                  <Section key={title} title={title}>
                    <Panel>
                      <ul className="divide-y divide-line">
                        {some.map((candidate) => (
                          <MemoryCandidate key={candidate.id} candidate={candidate} onDecided={() => void read.reload()} />
                        ))}
                      </ul>
                    </Panel>
                  </Section>
                ),
            )}
            {hasMore && <Button onClick={read.more}>{learningWords.loadMore}</Button>}
          </>
        )
      }}
    </RequestResult>
  )
}

function MemoryCandidate({ candidate, onDecided }: { candidate: MemoryWritebackCandidate; onDecided(): void }) {
  const { id: candidate_id, content, memory_kind, memory_id, confidence, state, run_id, created_at } = candidate
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const decide = async (doing: 'commit' | 'dismiss') => {
    setBusy(true)
    await client.call(learningWords.doing[doing], `memory_${doing}_writeback_candidate`, { candidate_id })
    setBusy(false)
    onDecided()
  }
  const text = visibleText(content)
  return (
    <li className="px-4 py-3">
      <p className="break-words">{text}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
        <Badge>{memoryWords.kinds[memory_kind]}</Badge>
        {state !== 'pending' && <Badge tone={state === 'committed' ? 'good' : 'plain'}>{told.states[state]}</Badge>}
        {told.confidence(confidence)} · {formatTime(created_at)}
        <RunLink run_id={run_id}>{learningWords.openRun}</RunLink>
        {memory_id !== null && (
          <a href={memoryAddress(memory_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {told.openMemory}
          </a>
        )}
      </p>
      {state === 'pending' && (
        <div className="mt-2 flex flex-wrap gap-2">
          <PrimaryButton disabled={isBusy} aria-label={told.commitOf(text.slice(0, 80))} onClick={() => decide('commit')}>
            {told.commit}
          </PrimaryButton>
          <Button disabled={isBusy} aria-label={told.dismissOf(text.slice(0, 80))} onClick={() => decide('dismiss')}>
            {told.dismiss}
          </Button>
        </div>
      )}
    </li>
  )
}
