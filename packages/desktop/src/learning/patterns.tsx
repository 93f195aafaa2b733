// Failures that recur, ranked by what runs spent after them.
import { type FailurePattern, rankByCost } from '@tandem/contract/learning'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Fold } from '../part/fold.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { learningWords } from '../strings/learning.ts'
import { formatDuration } from '../text/duration.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import type { AgentFilter } from './filter.ts'
import { learningEvents } from './learning-events.ts'
import { RunLink } from './run-link.tsx'

const told = learningWords.patterns

export function Patterns({ filter }: { filter: AgentFilter }) {
  const read = useCompleteList('agent_run_list_failure_patterns', filter, { version: useNewestEventNumber(learningEvents) })
  return (
    <RequestResult reading={read}>
      {(patterns) => {
        if (patterns.length === 0) return <EmptyState>{told.none}</EmptyState>
        const aged = rankByCost(patterns.filter((one) => one.aged))
        return (
          <>
            <PatternList patterns={rankByCost(patterns.filter((one) => !one.aged))} />
            {aged.length > 0 && (
              <div className="mt-8">
                <Section title={told.aged} lead={told.agedLead}>
                  <PatternList patterns={aged} />
                </Section>
              </div>
            )}
          </>
        )
      }}
    </RequestResult>
  )
}

function PatternList({ patterns }: { patterns: readonly FailurePattern[] }) {
  if (patterns.length === 0) return null
  return (
    <Panel className="overflow-hidden">
      {patterns.map((pattern) => (
        <Fold key={pattern.id} summary={<Summary pattern={pattern} />}>
          {() => <Details pattern={pattern} />}
        </Fold>
      ))}
    </Panel>
  )
}

function Summary({
  pattern: { summary, affected_subsystem, occurrences, runs, tokens, milliseconds, last_seen_at },
}: {
  pattern: FailurePattern
}) {
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="min-w-0 grow basis-64 break-words font-medium">{visibleText(summary)}</span>
        <Badge>{learningWords.subsystems[affected_subsystem]}</Badge>
      </span>
      <span className="mt-0.5 block text-faint text-sm">
        {told.cost(tokens, formatDuration(milliseconds))} · {told.seen(occurrences, runs)} · {told.last(formatTime(last_seen_at))}
      </span>
    </>
  )
}

function Details({ pattern: { template, examples, helped, first_seen_at } }: { pattern: FailurePattern }) {
  return (
    <div className="space-y-4">
      {template !== '' && (
        <div>
          <h3 className="mb-1 text-faint text-sm">{told.template}</h3>
          <code className="block whitespace-pre-wrap break-words rounded-md bg-sunken px-3 py-2 text-sm">{visibleText(template)}</code>
        </div>
      )}
      <div>
        <h3 className="mb-1 text-faint text-sm">{told.examples}</h3>
        <ul className="space-y-2">
          {examples.map(({ run_id, call_id, step_id, excerpt }) => (
            <li key={step_id}>
              <RunLink run_id={run_id} call_id={call_id} step_id={step_id} />
              {excerpt !== '' && (
                <code className="mt-1 block whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-soft text-sm">
                  <span className="sr-only">{told.raw} </span>
                  {visibleText(excerpt)}
                </code>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="mb-1 text-faint text-sm">{told.helped}</h3>
        {helped.length === 0 && <p className="text-soft">{told.noHelp}</p>}
        <ul className="space-y-1">
          {helped.map(({ summary, times, run_id, call_id }) => (
            <li key={`${run_id} ${call_id} ${summary}`} className="break-words">
              {visibleText(summary)} <span className="text-faint text-sm">{told.helpedTimes(times)}</span>{' '}
              <RunLink run_id={run_id} call_id={call_id}>
                {learningWords.openRun}
              </RunLink>
            </li>
          ))}
        </ul>
      </div>
      <p className="text-faint text-sm">{told.first(formatTime(first_seen_at))}</p>
    </div>
  )
}
