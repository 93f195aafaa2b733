// What was found in each run, the latest first.
import type { BehaviorTrace } from '@tandem/contract/learning'
import { usePages } from '../client/use-pages.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import { Facts } from '../learning/facts.tsx'
import type { AgentFilter } from '../learning/filter.ts'
import { RunLink } from '../learning/run-link.tsx'
import { useRunTitle } from '../learning/use-run-title.ts'
import { useOwner } from '../part/agent-select.tsx'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { evolutionEvents } from './evolution-events.ts'

const told = evolutionWords.traces
const size = 50

export function Traces({ filter }: { filter: AgentFilter }) {
  const read = usePages('skill_list_behavior_traces', filter, { size, version: useNewestEventNumber(evolutionEvents) })
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) =>
        items.length === 0 ? (
          <EmptyState>{told.none}</EmptyState>
        ) : (
          <>
            <Panel className="overflow-hidden">
              {items.map((trace) => (
                <Fold key={trace.id} summary={<Summary trace={trace} />}>
                  {() => <Found trace={trace} />}
                </Fold>
              ))}
            </Panel>
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

function Summary({ trace }: { trace: BehaviorTrace }) {
  const { run_id, tool_sequences, repeated_constraints, manual_remediations, agent_id, created_at } = trace
  const [title, agent] = [useRunTitle(run_id), useOwner(agent_id)]
  return (
    <>
      <span className="block break-words font-medium">
        {told.found(tool_sequences.length, repeated_constraints.length, manual_remediations.length) || told.nothing}
      </span>
      <span className="mt-0.5 block truncate text-soft text-sm">{visibleText(exampleOf(trace))}</span>
      <span className="mt-0.5 block break-words text-faint text-sm">
        {[...(title === null ? [] : [title]), agent, formatTime(created_at)].join(' · ')}
      </span>
    </>
  )
}

/** What tells one run from another in a long list. */
function exampleOf({ tool_sequences, repeated_constraints, manual_remediations }: BehaviorTrace): string {
  return [
    ...tool_sequences.map(({ tools }) => [...new Set(tools)].join(', ')),
    ...repeated_constraints.map(({ constraint }) => `“${constraint}”`),
    ...manual_remediations.map(({ summary }) => summary),
  ].join(' · ')
}

function Found({ trace: { run_id, tool_sequences, repeated_constraints, manual_remediations } }: { trace: BehaviorTrace }) {
  const sequences = tool_sequences.map(({ signature, tools, repetitions }) => (
    <li key={signature}>
      <code className="break-words text-sm">{visibleText(tools.join(', '))}</code> <Times times={repetitions} />
    </li>
  ))
  const constraints = repeated_constraints.map(({ constraint, repetitions }) => (
    <li key={constraint}>
      “{visibleText(constraint)}” <Times times={repetitions} />
    </li>
  ))
  const remediations = manual_remediations.map(({ kind, summary, step_id }) => (
    <li key={`${kind} ${summary} ${step_id}`}>
      {told.kinds[kind]}: {visibleText(summary)}
    </li>
  ))
  const parts = (
    [
      [told.sequences, sequences],
      [told.constraints, constraints],
      [told.remediations, remediations],
    ] as const
  ).filter(([, found]) => found.length > 0)
  return (
    <>
      {parts.length === 0 ? (
        <p className="text-soft">{told.nothing}</p>
      ) : (
        <Facts
          rows={parts.map(([name, found]) => [
            name,
            <ul key={name} className="space-y-1">
              {found}
            </ul>,
          ])}
        />
      )}
      <p className="mt-3">
        <RunLink run_id={run_id} />
      </p>
    </>
  )
}

function Times({ times }: { times: number }) {
  return <span className="whitespace-nowrap text-faint text-sm">{told.repeated(times)}</span>
}
