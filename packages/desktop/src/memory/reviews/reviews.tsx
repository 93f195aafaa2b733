// Manual reviews, earlier reviews and the user's corrections.
import { heartbeatExtractions, type MemoryHeartbeatReview } from '@tandem/contract/memory'
import { useState } from 'react'
import { followLink, memoryAddress } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { Badge } from '../../part/badge.tsx'
import { Fold } from '../../part/fold.tsx'
import { Button } from '../../part/form/button.tsx'
import { LoadMore } from '../../part/load-more.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { useNow } from '../../part/use-now.ts'
import { memoryWords } from '../../strings/memory.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { memoryEvents } from '../memory-events.ts'
import { Corrections } from './corrections.tsx'

const told = memoryWords.reviews
const extractions = Object.keys(heartbeatExtractions) as (keyof typeof heartbeatExtractions)[]
const most = 50

export function Reviews({ agent_id }: { agent_id: string }) {
  const version = useNewestEventNumber(memoryEvents)
  const reviews = useCommand('memory_list_reviews', { agent_id, limit: most }, { version })
  return (
    <>
      <Section title={told.title} lead={told.lead}>
        <RunReview agent_id={agent_id} onDone={reviews.reload} />
        <RequestResult reading={reviews}>
          {(list) =>
            list.items.length === 0 ? (
              <EmptyState>{told.none}</EmptyState>
            ) : (
              <>
                <Panel>
                  {list.items.map((review) => (
                    <ReviewFold key={review.id} review={review} />
                  ))}
                </Panel>
                <LoadMore list={list} />
              </>
            )
          }
        </RequestResult>
      </Section>
      <Section title={told.corrections}>
        <Corrections agent_id={agent_id} version={version} />
      </Section>
    </>
  )
}

type Running = { readonly state: 'idle'; readonly said: string } | { readonly state: 'running'; readonly since: number }

function RunReview({ agent_id, onDone }: { agent_id: string; onDone(): Promise<void> }) {
  const client = useRuntimeClient()
  const [running, setRunning] = useState<Running>({ state: 'idle', said: '' })
  const now = useNow(running.state === 'running' ? 'on' : 'off')
  const run = async () => {
    setRunning({ state: 'running', since: client.clock.now() })
    const answer = await client.call(memoryWords.doing.review, 'memory_run_heartbeat_review', { agent_id })
    setRunning({ state: 'idle', said: answer.ok ? told.done(answer.value.messages_reviewed, foundIn(answer.value)) : '' })
    await onDone()
  }
  const isRunning = running.state === 'running'
  return (
    <div className="mb-4 space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isRunning} onClick={run}>
          {told.run}
        </Button>
        {isRunning && <progress aria-label={told.title} className="h-1.5 w-32 accent-(--cloud)" />}
        <span className="text-faint text-sm">{isRunning && told.running(Math.max(0, Math.floor((now - running.since) / 1_000)))}</span>
      </div>
      <p role="status" className="text-soft text-sm empty:hidden">
        {isRunning ? told.runningNote : running.said}
      </p>
    </div>
  )
}

function foundIn({ extracted }: MemoryHeartbeatReview): number {
  return new Set(extractions.flatMap((name) => extracted[name])).size
}

function ReviewFold({ review }: { review: MemoryHeartbeatReview }) {
  const { completed_at, trigger, messages_reviewed, summary, extracted, resolution } = review
  return (
    <Fold
      summary={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {formatTime(completed_at)} <Badge>{told.triggers[trigger]}</Badge>
          <span className="text-faint text-sm">{told.done(messages_reviewed, foundIn(review))}</span>
          {resolution.conflicting.length > 0 && <Badge tone="bad">{told.conflicts(resolution.conflicting.length)}</Badge>}
        </span>
      }
    >
      {() => (
        <>
          {summary !== '' && <p className="mb-2 whitespace-pre-wrap break-words">{visibleText(summary)}</p>}
          {extractions
            .filter((name) => extracted[name].length > 0)
            .map((name) => (
              <p key={name} className="text-sm">
                <span className="text-faint">{told.extracts[name]}:</span>{' '}
                {extracted[name].map((id, at) => (
                  <a key={id} href={memoryAddress(id)} onClick={followLink} className="mr-2 text-cloud underline underline-offset-4">
                    {memoryWords.graph.memoryNumber(at + 1)}
                  </a>
                ))}
              </p>
            ))}
        </>
      )}
    </Fold>
  )
}
