// What is missing, with what came of it.
import type { SkillGapAnalysis } from '@tandem/contract/learning'
import { evolutionAddress, followLink } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { usePages } from '../client/use-pages.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import type { AgentFilter } from '../learning/filter.ts'
import { RunLink } from '../learning/run-link.tsx'
import { useOwner } from '../part/agent-select.tsx'
import { Badge } from '../part/badge.tsx'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { learningWords } from '../strings/learning.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { gapEvents } from './evolution-events.ts'
import { GapResult } from './gap-result.tsx'

const told = evolutionWords.gaps
const size = 50

export function Gaps({ filter }: { filter: AgentFilter }) {
  const read = usePages('skill_list_gap_analyses', filter, { size, version: useNewestEventNumber(gapEvents) })
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) =>
        items.length === 0 ? (
          <EmptyState>{told.none}</EmptyState>
        ) : (
          <>
            <ul className="space-y-3">
              {items.map((gap) => (
                <li key={gap.id}>
                  <Gap gap={gap} onChanged={read.reload} />
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
      }
    </RequestResult>
  )
}

function Gap({ gap, onChanged }: { gap: SkillGapAnalysis; onChanged(): Promise<void> }) {
  const { id, agent_id, run_id, gap_kind, repetitions, confidence, matching_skill, already_bound, recommendation_id, led_to, created_at } =
    gap
  const client = useRuntimeClient()
  const agent = useOwner(agent_id)
  const summary = visibleText(gap.summary)
  const dismiss = async () => {
    await client.call(evolutionWords.doing.dismiss, 'skill_dismiss_gap_analysis', { gap_analysis_id: id })
    await onChanged()
  }
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <p className="min-w-0 flex-1 basis-72 break-words font-medium">{summary}</p>
        <Badge>{learningWords.gaps[gap_kind]}</Badge>
      </div>
      <p className="mt-1 text-faint text-sm">
        {told.repeated(repetitions)} · {told.confidence(learningWords.percent(confidence))} · {agent} · {formatTime(created_at)}
      </p>
      {matching_skill !== null && (
        <p className="mt-1 break-words text-soft text-sm">
          {told.matching(matching_skill)} {already_bound && told.bound}
        </p>
      )}
      {led_to !== null && <GapResult gap={gap} result={led_to} onChanged={onChanged} />}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        {recommendation_id !== null && (
          <a
            href={evolutionAddress('recommendations', recommendation_id)}
            onClick={followLink}
            aria-label={told.openOf(summary)}
            className="text-cloud underline underline-offset-4"
          >
            {told.open}
          </a>
        )}
        <RunLink run_id={run_id}>{evolutionWords.openRun}</RunLink>
        <AskFirst name={told.dismiss} label={told.dismissOf(summary)} question={told.question} yes={told.dismiss} act={dismiss} />
      </div>
    </Panel>
  )
}
