// Every attempt to advance a candidate, oldest first.
import type { PolicyCandidateValidation } from '@tandem/contract/policy-candidate'
import { Badge } from '../../part/badge.tsx'
import { SmallFold } from '../../part/fold.tsx'
import { Panel } from '../../part/section.tsx'
import { Failure } from '../../result/failure.tsx'
import { learningWords } from '../../strings/learning.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { RunLink } from '../run-link.tsx'
import { Divergences } from './divergences.tsx'
import { isRefused } from './refused.ts'

const told = learningWords.candidates

export function ValidationList({ validations }: { validations: readonly PolicyCandidateValidation[] }) {
  if (validations.length === 0) return <p className="text-soft">{told.notTested}</p>
  return (
    <Panel>
      <ol className="divide-y divide-line">
        {validations.map((validation) => (
          <Validation key={validation.id} validation={validation} />
        ))}
      </ol>
    </Panel>
  )
}

function Validation({ validation }: { validation: PolicyCandidateValidation }) {
  const { stage, from_state, to_state, trigger, summary, cause_run_id, failure_contract, created_at, divergence_count } = validation
  const { calls_checked, runs_checked, calls_unjudged } = validation
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{nameOf(validation)}</span>
        {(stage === 'shadow' || isRefused(validation)) && <Result validation={validation} />}
        <span className="text-faint text-sm">
          {told.triggers[trigger]} · {formatTime(created_at)}
        </span>
      </p>
      <p className="mt-1 break-words">{visibleText(summary)}</p>
      <p className="mt-0.5 text-faint text-sm">
        {told.stateChange(told.states[from_state], told.states[to_state])}
        {calls_checked + calls_unjudged > 0 && ` · ${told.checked(calls_checked, runs_checked, calls_unjudged)}`}
      </p>
      {cause_run_id !== null && (
        <p className="mt-1 text-sm">
          <RunLink run_id={cause_run_id}>{told.causedBy}</RunLink>
        </p>
      )}
      {failure_contract && (
        <div className="mt-2">
          <Failure contract={failure_contract} />
        </div>
      )}
      {divergence_count > 0 && (
        <div className="mt-2">
          <SmallFold summary={`${told.wouldChange}: ${divergence_count}`}>{() => <Divergences validation={validation} />}</SmallFold>
        </div>
      )}
    </li>
  )
}

function Result({ validation }: { validation: PolicyCandidateValidation }) {
  const { outcome, from_state, to_state } = validation
  if (isRefused(validation)) return <Badge>{told.refused}</Badge>
  if (outcome === 'passed') return <Badge tone="good">{told.passed}</Badge>
  return from_state === to_state ? <Badge>{told.inconclusive}</Badge> : <Badge tone="bad">{told.failed}</Badge>
}

function nameOf(validation: PolicyCandidateValidation): string {
  const { stage, from_state, to_state } = validation
  if (stage !== 'canary') return told.stages[stage]
  if (isRefused(validation)) return told.stages.trial
  if (to_state === 'canary_ready') return told.stages.prepared
  return from_state === to_state ? told.kept : told.stages.applied
}
