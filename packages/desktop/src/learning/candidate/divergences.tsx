import type { PolicyCandidateValidation } from '@tandem/contract/policy-candidate'
import { Panel } from '../../part/section.tsx'
import { learningWords } from '../../strings/learning.ts'
import { visibleText } from '../../text/visible.ts'
import { RunLink } from '../run-link.tsx'

const told = learningWords.candidates

/** The recorded calls that would have been decided differently. Each opens at its call. */
export function Divergences({ divergences }: Pick<PolicyCandidateValidation, 'divergences'>) {
  if (divergences.length === 0) return <p className="text-soft">{told.wouldChangeNone}</p>
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
