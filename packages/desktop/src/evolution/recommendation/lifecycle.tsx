// The lifecycle of a recommendation: a line of states, and everything that happened, oldest first.
import type { SkillRecommendation, SkillRecommendationValidation } from '@tandem/contract/skill-recommendation'
import { RunLink } from '../../learning/run-link.tsx'
import { Badge } from '../../part/badge.tsx'
import { Panel } from '../../part/section.tsx'
import { Failure } from '../../result/failure.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { type LifecycleStep, lifecycleSteps } from './lifecycle-steps.ts'

const told = evolutionWords.lifecycle

interface Props {
  readonly recommendation: SkillRecommendation
  readonly validations: readonly SkillRecommendationValidation[]
}

export function LifecycleLine({ recommendation, validations }: Props) {
  return (
    <ol aria-label={told.title} className="grid gap-y-2 lg:auto-cols-fr lg:grid-flow-col">
      {lifecycleSteps(recommendation, validations).map((step) => (
        <Step key={step.state} step={step} />
      ))}
    </ol>
  )
}

function Step({ step: { state, at, isCurrent } }: { step: LifecycleStep }) {
  const isBad = state === 'rolled_back'
  const dot = isCurrent ? (isBad ? 'border-bad bg-bad' : 'border-ink bg-ink') : at === null ? 'border-line-strong' : 'border-good bg-good'
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      className="flex items-baseline gap-2.5 lg:block lg:border-line lg:border-t-2 lg:pt-2 lg:pr-2"
    >
      <span
        aria-hidden="true"
        className={`inline-block size-2.5 shrink-0 rounded-full border lg:relative lg:-top-[14px] lg:block ${dot}`}
      />
      <span className={`lg:-mt-1.5 lg:block ${isCurrent ? 'font-semibold' : at === null ? 'text-faint' : 'text-soft'}`}>
        {evolutionWords.states[state]}
        <span className="sr-only"> ({isCurrent ? told.current : at === null ? told.ahead : told.done})</span>
      </span>
      {at !== null && <span className="text-faint text-sm lg:block">{formatTime(at)}</span>}
    </li>
  )
}

export function History({ validations }: Pick<Props, 'validations'>) {
  if (validations.length === 0) return <p className="text-soft">{told.noHistory}</p>
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

function Validation({ validation }: { validation: SkillRecommendationValidation }) {
  const { stage, outcome, from_state, to_state, trigger, summary, runs_checked, cause_run_id, failure_contract, created_at } = validation
  const { states } = evolutionWords
  return (
    <li className="px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{told.stages[stage]}</span>
        {outcome === 'failed' && <Badge tone="bad">{told.failed}</Badge>}
        <span className="text-faint text-sm">
          {told.triggers[trigger]} · {formatTime(created_at)}
        </span>
      </p>
      <p className="mt-1 break-words">{visibleText(summary)}</p>
      <p className="mt-0.5 text-faint text-sm">
        {told.change(states[from_state], states[to_state])}
        {runs_checked > 0 && ` · ${told.checked(runs_checked)}`}
      </p>
      {cause_run_id !== null && (
        <p className="mt-1 text-sm">
          <RunLink run_id={cause_run_id}>{stage === 'rollback' ? told.causedBy : evolutionWords.openRun}</RunLink>
        </p>
      )}
      {failure_contract && (
        <div className="mt-2">
          <Failure contract={failure_contract} />
        </div>
      )}
    </li>
  )
}
