// Every action that the state of a policy candidate allows. One that allows more asks first.
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { AskFirst } from '../../part/form/ask-first.tsx'
import { AskReason } from '../../part/form/ask-reason.tsx'
import { PrimaryButton } from '../../part/form/primary-button.tsx'
import { learningWords } from '../../strings/learning.ts'
import { visibleText } from '../../text/visible.ts'
import { actionsOf, type CandidateAction } from './actions.ts'

const told = learningWords.candidates

const commands = {
  validate: 'agent_run_validate_policy_candidate_shadow',
  prepare: 'agent_run_prepare_policy_candidate_canary',
  apply: 'agent_run_apply_policy_candidate_canary',
  keep: 'learning_keep_policy_candidate',
} as const satisfies Record<Exclude<CandidateAction, 'rollback'>, string>

export function CandidateActions({ candidate, onChanged }: { candidate: PolicyCandidate; onChanged(): Promise<void> }) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const { id: candidate_id, state, widens } = candidate
  const title = visibleText(candidate.title)
  const actions = actionsOf(candidate)
  const act = async (call: () => Promise<unknown>) => {
    setBusy(true)
    await call()
    await onChanged()
    setBusy(false)
  }
  const run = (action: Exclude<CandidateAction, 'rollback'>) =>
    act(() => client.call(learningWords.doing[action], commands[action], { candidate_id }))
  const rollback = (reason: string) =>
    act(() => client.call(learningWords.doing.rollback, 'agent_run_rollback_policy_candidate', { candidate_id, reason }))
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap items-start gap-2">
      {actions.map((action) => {
        const name = told.actions[action]
        if (action === 'rollback') {
          const isApplied = state === 'canary_applied'
          const shown = isApplied ? name : told.actions.reject
          return (
            <AskReason key={action} name={shown} label={told.actionOf(shown, title)} reason={told.reason} isBusy={isBusy} act={rollback} />
          )
        }
        if (action === 'apply' && widens) {
          return (
            <AskFirst
              key={action}
              name={name}
              label={told.actionOf(name, title)}
              question={told.applyQuestion(title)}
              yes={told.applyYes}
              act={() => run('apply')}
            />
          )
        }
        return (
          <PrimaryButton key={action} aria-label={told.actionOf(name, title)} disabled={isBusy} onClick={() => run(action)}>
            {name}
          </PrimaryButton>
        )
      })}
    </div>
  )
}
