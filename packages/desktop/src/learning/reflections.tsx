// What was learned from each run: its root cause, and what is recommended because of it.
import type { Reflection } from '@tandem/contract/learning'
import { usePages } from '../client/use-pages.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import { useOwner } from '../part/agent-select.tsx'
import { Badge } from '../part/badge.tsx'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { learningWords } from '../strings/learning.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { Facts } from './facts.tsx'
import type { AgentFilter } from './filter.ts'
import { learningEvents } from './learning-events.ts'
import { recommendationRows } from './recommendations.tsx'
import { RunLink } from './run-link.tsx'
import { useRunTitle } from './use-run-title.ts'

const told = learningWords.reflections
const size = 50

export function Reflections({ filter }: { filter: AgentFilter }) {
  const read = usePages('learning_list_reflections', filter, { size, version: useNewestEventNumber(learningEvents) })
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) =>
        items.length === 0 ? (
          <EmptyState>{told.none}</EmptyState>
        ) : (
          <>
            <Panel className="overflow-hidden">
              {items.map((reflection) => (
                <Fold key={reflection.id} summary={<Summary reflection={reflection} />}>
                  {() => <ReflectionFacts reflection={reflection} />}
                </Fold>
              ))}
            </Panel>
            {hasMore && (
              <Button className="mt-3" onClick={read.more}>
                {learningWords.loadMore}
              </Button>
            )}
          </>
        )
      }
    </RequestResult>
  )
}

function Summary({ reflection: { run_id, agent_id, root_cause, affected_subsystem, created_at, ...of } }: { reflection: Reflection }) {
  const [title, agent] = [useRunTitle(run_id), useOwner(agent_id)]
  const recommended = (
    [
      [of.recommended_policy_update, told.policy],
      [of.recommended_memory_writeback, told.memory],
      [of.recommended_workflow_extraction, told.workflow],
    ] as const
  ).flatMap(([value, name]) => (value === null ? [] : [name]))
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-64 break-words font-medium">{visibleText(root_cause)}</span>
        {affected_subsystem !== 'none' && <Badge>{learningWords.subsystems[affected_subsystem]}</Badge>}
      </span>
      <span className="mt-0.5 block break-words text-faint text-sm">
        {[...(title === null ? [] : [title]), agent, formatTime(created_at), ...recommended].join(' · ')}
      </span>
    </>
  )
}

function ReflectionFacts({ reflection }: { reflection: Reflection }) {
  const rows = recommendationRows(reflection)
  return (
    <>
      {rows.length === 0 ? <p className="text-soft">{told.nothing}</p> : <Facts rows={rows} />}
      <p className="mt-3">
        <RunLink run_id={reflection.run_id}>{learningWords.openRun}</RunLink>
      </p>
    </>
  )
}
