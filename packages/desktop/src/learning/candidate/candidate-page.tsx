// One policy candidate: what it changes, why, what it would have changed, and all that happened to it.
import type { PolicyCandidate, PolicyCandidateValidation } from '@tandem/contract/policy-candidate'
import { followLink, learningAddress } from '../../address.ts'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { useOwner } from '../../part/agent-select.tsx'
import { Fold } from '../../part/fold.tsx'
import { PageLayout } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { ruleText } from '../../part/rule-text.ts'
import { Panel, Section } from '../../part/section.tsx'
import { learningWords } from '../../strings/learning.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { candidateEvents } from '../learning-events.ts'
import { RunLink } from '../run-link.tsx'
import { CandidateActions } from './candidate-actions.tsx'
import { CandidateBadges } from './candidate-badges.tsx'
import { Divergences } from './divergences.tsx'
import { isRefused } from './refused.ts'
import { ValidationList } from './validation-list.tsx'

const told = learningWords.candidates

export function CandidatePage({ candidate_id }: { candidate_id: string }) {
  const read = useCommand('agent_run_get_policy_candidate', { candidate_id }, { version: useNewestEventNumber(candidateEvents) })
  return (
    <PageLayout title={learningWords.sections.candidates} lead={told.lead}>
      <p className="-mt-3 mb-4 text-sm">
        <a href={learningAddress('candidates')} onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.back}
        </a>
      </p>
      <RequestResult reading={read}>
        {({ candidate, validations }) => <Details candidate={candidate} validations={validations} onChanged={read.reload} />}
      </RequestResult>
    </PageLayout>
  )
}

interface Props {
  readonly candidate: PolicyCandidate
  readonly validations: readonly PolicyCandidateValidation[]
  onChanged(): Promise<void>
}

function Details({ candidate, validations, onChanged }: Props) {
  const { agent_id, title, rationale, rule, widens, evidence, rollback_reason, canary_applied_at, adopted_at, state } = candidate
  const agent = useOwner(agent_id)
  const tested = validations.findLast((one) => one.stage === 'shadow' && !isRefused(one))
  const cause = validations.findLast((one) => one.stage === 'rollback' && !isRefused(one))?.cause_run_id ?? null
  return (
    <>
      <Panel className="mb-8 p-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
          <h2 className="min-w-0 flex-1 basis-72 break-words font-semibold text-lg">{visibleText(title)}</h2>
          <CandidateBadges candidate={candidate} />
        </div>
        <p className="mt-1 text-faint text-sm">
          {agent} · {formatTime(candidate.created_at)}
          {state === 'canary_applied' &&
            canary_applied_at !== null &&
            adopted_at === null &&
            ` · ${told.applied(formatTime(canary_applied_at))}`}
          {adopted_at !== null && ` · ${told.keptAt(formatTime(adopted_at))}`}
        </p>
        <p className={`mt-3 text-sm ${widens ? 'rounded-md bg-bad-soft px-3 py-2 text-bad' : 'text-soft'}`}>
          {widens ? told.widensNote : told.narrowsNote}
        </p>
        {rollback_reason !== null && (
          <p className="mt-3 break-words rounded-md bg-warn-soft px-3 py-2 text-warn">
            {told.rolledBackBecause(visibleText(rollback_reason))} {cause !== null && <RunLink run_id={cause}>{told.causedBy}</RunLink>}
          </p>
        )}
        <div className="mt-4">
          <CandidateActions candidate={candidate} onChanged={onChanged} />
          {state === 'canary_applied' && adopted_at === null && <p className="mt-2 text-faint text-sm">{told.keepHint}</p>}
        </div>
      </Panel>
      <Section title={told.why}>
        <p className="break-words">
          {told.rules[rule]} {visibleText(rationale)}
        </p>
        <Panel className="mt-3 overflow-hidden">
          <Fold summary={`${told.evidence}: ${told.evidenceLead(evidence.length)}`}>{() => <Evidence evidence={evidence} />}</Fold>
        </Panel>
      </Section>
      <Section title={told.changes}>
        <Changes candidate={candidate} />
      </Section>
      <Section title={told.wouldChange}>
        {tested === undefined ? <p className="text-soft">{told.notTested}</p> : <Divergences validation={tested} />}
      </Section>
      <Section title={told.history}>
        <ValidationList validations={validations} />
      </Section>
    </>
  )
}

function Evidence({ evidence }: Pick<PolicyCandidate, 'evidence'>) {
  return (
    <ul className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-2">
      {evidence.map(({ run_id, call_id }, at) => (
        <li key={`${run_id} ${call_id}`}>
          <span className="text-faint">{told.call(at + 1)}:</span> <RunLink run_id={run_id} call_id={call_id} />
        </li>
      ))}
    </ul>
  )
}

function Changes({ candidate: { changes } }: { candidate: PolicyCandidate }) {
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {changes.map((change) => {
          const textOf = (json: string) => visibleText(learningWords.policyValue(change.field, json, (rule) => ruleText(rule, change.tool)))
          return (
            <li key={`${change.tool} ${change.field}`} className="px-4 py-3">
              <p>
                <code>{visibleText(change.tool)}</code> · {told.fields[change.field]}
              </p>
              <p className="mt-1 grid gap-x-4 sm:grid-cols-2">
                <span className="break-words text-soft">
                  <span className="text-faint text-sm">{told.from}:</span> {textOf(change.from)}
                </span>
                <span className="break-words">
                  <span className="text-faint text-sm">{told.to}:</span> {textOf(change.to)}
                </span>
              </p>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
