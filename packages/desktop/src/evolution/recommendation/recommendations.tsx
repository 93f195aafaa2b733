// Recommendations, those that need a decision first.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { evolutionAddress, followLink } from '../../address.ts'
import { usePages } from '../../client/use-pages.ts'
import { useNewestEventNumber } from '../../client/use-request.ts'
import type { AgentFilter } from '../../learning/filter.ts'
import { SchedulerRound } from '../../learning/scheduler-round.tsx'
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
      <SchedulerRound
        filter={filter}
        words={{ ...told, doing: evolutionWords.doing.round }}
        resultOf={(round) => told.roundDone(round.skill_recommendations.length)}
        onDone={read.reload}
      />
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
      <p className="mt-1 max-w-2xl break-words text-soft text-sm">
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
          aria-label={asks === null ? told.openOf(title) : told.decideOf(title)}
          className={
            asks === null
              ? 'text-cloud underline underline-offset-4'
              : 'inline-block rounded-md border border-ink bg-ink px-3 py-1.5 text-canvas hover:opacity-90'
          }
        >
          {asks === null ? told.open : told.decide}
        </a>
      </p>
    </Panel>
  )
}
