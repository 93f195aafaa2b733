// Recommendations, those that need a decision first.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { useState } from 'react'
import { evolutionAddress, followLink } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { usePages } from '../../client/use-pages.ts'
import { useNewestEventNumber } from '../../client/use-request.ts'
import type { AgentFilter } from '../../learning/filter.ts'
import { useOwner } from '../../part/agent-select.tsx'
import { Button } from '../../part/form/button.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { evolutionEvents } from '../evolution-events.ts'
import { RecommendationBadges } from './recommendation-badges.tsx'

const told = evolutionWords.recommendations
const size = 50

export function Recommendations({ filter }: { filter: AgentFilter }) {
  const read = usePages('skill_list_recommendations', filter, { size, version: useNewestEventNumber(evolutionEvents) })
  return (
    <>
      <Round filter={filter} onDone={read.reload} />
      <RequestResult reading={read}>
        {({ items, hasMore }) => {
          if (items.length === 0) return <EmptyState>{told.none}</EmptyState>
          const waiting = items.filter(({ asks }) => asks !== null)
          return (
            <>
              <ul className="space-y-3">
                {[...waiting, ...items.filter((one) => !waiting.includes(one))].map((recommendation) => (
                  <li key={recommendation.id}>
                    <Recommendation recommendation={recommendation} />
                  </li>
                ))}
              </ul>
              {hasMore && (
                <Button className="mt-3" onClick={read.more}>
                  {evolutionWords.loadMore}
                </Button>
              )}
            </>
          )
        }}
      </RequestResult>
    </>
  )
}

function Recommendation({ recommendation }: { recommendation: SkillRecommendation }) {
  const { id, agent_id, state, asks, rollback_reason, created_at } = recommendation
  const title = visibleText(recommendation.title)
  const agent = useOwner(agent_id)
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <p className="min-w-0 flex-1 basis-72 break-words font-medium">{title}</p>
        <RecommendationBadges recommendation={recommendation} />
      </div>
      <p className="mt-1 text-faint text-sm">
        {agent} · {formatTime(created_at)}
      </p>
      <p className="mt-1 break-words text-soft text-sm">
        {state === 'rolled_back' && rollback_reason !== null
          ? told.rolledBackBecause(visibleText(rollback_reason))
          : asks === null
            ? evolutionWords.meanings[state]
            : visibleText(asks)}
      </p>
      <p className="mt-2 text-sm">
        <a
          href={evolutionAddress('recommendations', id)}
          onClick={followLink}
          aria-label={told.openOf(title)}
          className="text-cloud underline underline-offset-4"
        >
          {told.open}
        </a>
      </p>
    </Panel>
  )
}

/** One round of the scheduler, by hand. */
function Round({ filter, onDone }: { filter: AgentFilter; onDone(): Promise<void> }) {
  const client = useRuntimeClient()
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setSaid('')
    const answer = await client.call(evolutionWords.doing.round, 'learning_advance_candidates', filter)
    if (answer.ok) setSaid(told.roundDone(answer.value.skill_recommendations.length))
    await onDone()
    setBusy(false)
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={run} disabled={isBusy}>
        {told.round}
      </Button>
      <span className="min-w-0 flex-1 basis-60 text-faint text-sm">{told.roundHint}</span>
      <span role="status" className="text-good text-sm">
        {said}
      </span>
    </div>
  )
}
