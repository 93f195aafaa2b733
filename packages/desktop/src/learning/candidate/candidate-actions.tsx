// Every action that the state of a policy candidate allows. One that allows more asks first.
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { AskFirst } from '../../part/form/ask-first.tsx'
import { Button } from '../../part/form/button.tsx'
import { PrimaryButton } from '../../part/form/primary-button.tsx'
import { learningWords } from '../../strings/learning.ts'
import { words } from '../../strings/window.ts'
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
          return <Rollback key={action} name={isApplied ? name : told.actions.reject} title={title} isBusy={isBusy} rollback={rollback} />
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

interface RollbackProps {
  readonly name: string
  readonly title: string
  readonly isBusy: boolean
  rollback(reason: string): Promise<void>
}

/** Asks for a reason, which may be left out. */
function Rollback({ name, title, isBusy, rollback }: RollbackProps) {
  const [reason, setReason] = useState<string | null>(null)
  const label = told.actionOf(name, title)
  if (reason === null) {
    return (
      <Button aria-label={label} disabled={isBusy} onClick={() => setReason('')}>
        {name}…
      </Button>
    )
  }
  return (
    <form
      aria-label={label}
      className="flex w-full flex-wrap items-end gap-2 rounded-lg border border-line bg-sunken p-3"
      onSubmit={(event) => {
        event.preventDefault()
        void rollback(reason)
      }}
    >
      <label className="min-w-0 grow basis-60 text-faint text-sm">
        {told.reason}
        <input
          // biome-ignore lint/a11y/noAutofocus: the user just opened it.
          autoFocus
          value={reason}
          maxLength={1_000}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setReason(null)}
          className="field mt-1 w-full text-ink"
        />
      </label>
      <Button type="submit" disabled={isBusy} className="text-bad">
        {name}
      </Button>
      <Button disabled={isBusy} onClick={() => setReason(null)}>
        {words.cancel}
      </Button>
    </form>
  )
}
