// Policy candidates, those that need a decision first.
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { followLink, learningAddress } from '../../address.ts'
import { usePages } from '../../client/use-pages.ts'
import { useNewestEventNumber } from '../../client/use-request.ts'
import { useOwner } from '../../part/agent-select.tsx'
import { Button } from '../../part/form/button.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { learningWords } from '../../strings/learning.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import type { AgentFilter } from '../filter.ts'
import { candidateEvents } from '../learning-events.ts'
import { SchedulerRound } from '../scheduler-round.tsx'
import { CandidateActions } from './candidate-actions.tsx'
import { CandidateBadges } from './candidate-badges.tsx'

const told = learningWords.candidates
const size = 50

export function Candidates({ filter }: { filter: AgentFilter }) {
  const read = usePages('agent_run_list_policy_candidates', filter, { size, version: useNewestEventNumber(candidateEvents) })
  return (
    <>
      <SchedulerRound
        filter={filter}
        words={{ ...told, doing: learningWords.doing.round }}
        resultOf={(round) => told.roundDone(round.policy_candidates.length)}
        onDone={read.reload}
      />
      <RequestResult reading={read}>
        {({ items, hasMore }) => {
          if (items.length === 0) return <EmptyState>{told.none}</EmptyState>
          const waiting = items.filter(({ state }) => state === 'canary_ready')
          return (
            <>
              <ul className="space-y-3">
                {[...waiting, ...items.filter((one) => !waiting.includes(one))].map((candidate) => (
                  <li key={candidate.id}>
                    <Candidate candidate={candidate} onChanged={read.reload} />
                  </li>
                ))}
              </ul>
              {hasMore && (
                <Button className="mt-3" onClick={read.more}>
                  {learningWords.loadMore}
                </Button>
              )}
            </>
          )
        }}
      </RequestResult>
    </>
  )
}

function Candidate({ candidate, onChanged }: { candidate: PolicyCandidate; onChanged(): Promise<void> }) {
  const { id, agent_id, state, rollback_reason, created_at } = candidate
  const title = visibleText(candidate.title)
  const agent = useOwner(agent_id)
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <p className="min-w-0 flex-1 basis-72 break-words font-medium">{title}</p>
        <CandidateBadges candidate={candidate} />
      </div>
      <p className="mt-1 text-faint text-sm">
        {agent} · {formatTime(created_at)}
      </p>
      {state === 'rolled_back' && rollback_reason !== null && (
        <p className="mt-1 break-words text-soft">{told.rolledBackBecause(visibleText(rollback_reason))}</p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <CandidateActions candidate={candidate} onChanged={onChanged} />
        <a
          href={learningAddress('candidates', id)}
          onClick={followLink}
          aria-label={told.openOf(title)}
          className="text-cloud text-sm underline underline-offset-4"
        >
          {told.open}
        </a>
      </div>
    </Panel>
  )
}
