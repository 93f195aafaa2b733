import type { PolicyCandidateValidation, PolicyDivergence } from '@tandem/contract/policy-candidate'
import { usePages } from '../../client/use-pages.ts'
import { Button } from '../../part/form/button.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel } from '../../part/section.tsx'
import { learningWords } from '../../strings/learning.ts'
import { visibleText } from '../../text/visible.ts'
import { RunLink } from '../run-link.tsx'

const told = learningWords.candidates

/** The recorded calls that would have been decided differently. Each opens at its call. */
export function Divergences({ validation }: { validation: PolicyCandidateValidation }) {
  const { divergences, divergence_count } = validation
  if (divergence_count === 0) return <p className="text-soft">{told.wouldChangeNone}</p>
  if (divergence_count === divergences.length) return <List divergences={divergences} />
  return <Pages validation={validation} />
}

const size = 200

/** More than a validation has itself. */
function Pages({ validation: { id: validation_id, divergence_count } }: { validation: PolicyCandidateValidation }) {
  const read = usePages('learning_list_policy_divergences', { validation_id }, { size })
  return (
    <RequestResult reading={read}>
      {({ items, hasMore }) => (
        <>
          <List divergences={items} />
          {hasMore && (
            <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
              <Button onClick={read.more}>{told.moreCalls}</Button>
              <span className="text-faint text-sm">{told.shownOf(items.length, divergence_count)}</span>
            </p>
          )}
        </>
      )}
    </RequestResult>
  )
}

function List({ divergences }: { divergences: readonly PolicyDivergence[] }) {
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {divergences.map(({ run_id, call_id, tool, decided, would_decide }) => (
          <li
            key={`${run_id} ${call_id}`}
            className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
          >
            <span className="min-w-0">
              <code>{visibleText(tool)}</code> <RunLink run_id={run_id} call_id={call_id} />
            </span>
            <span className="break-words">
              <span className="text-faint">{told.decided}:</span> {visibleText(decided)}. <span className="text-faint">{told.would}:</span>{' '}
              {visibleText(would_decide)}.
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
