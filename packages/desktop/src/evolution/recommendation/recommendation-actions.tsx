// Everything that can be done with a recommendation, and why the rest is not possible now.
import type { RecommendationAction, SkillRecommendation, SkillRecommendationTrigger } from '@tandem/contract/skill-recommendation'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { SmallFold } from '../../part/fold.tsx'
import { AskFirst } from '../../part/form/ask-first.tsx'
import { AskReason } from '../../part/form/ask-reason.tsx'
import { PrimaryButton } from '../../part/form/primary-button.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { visibleSentence } from '../../text/sentence.ts'
import { visibleText } from '../../text/visible.ts'

const told = evolutionWords.action

/** Those that need nothing but the recommendation. */
const commands = {
  generate_draft: 'skill_generate_recommendation_draft',
  validate: 'skill_validate_recommendation',
  prepare_shadow: 'skill_prepare_recommendation_shadow',
  apply_shadow: 'skill_apply_recommendation_shadow',
  prepare_canary: 'skill_prepare_recommendation_canary',
  apply_canary: 'skill_apply_recommendation_canary',
  promote_to_live: 'skill_promote_recommendation_to_live',
} as const satisfies Record<Exclude<SkillRecommendationTrigger, 'rollback' | 'retire'>, string>

interface Props {
  readonly recommendation: SkillRecommendation
  readonly actions: readonly RecommendationAction[]
  onChanged(): Promise<void>
}

export function RecommendationActions({ recommendation, actions, onChanged }: Props) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const { id: recommendation_id, kind, asks } = recommendation
  const title = visibleText(recommendation.title)
  const act = async (action: SkillRecommendationTrigger, reason = '') => {
    setBusy(true)
    const doing = evolutionWords.doing[action]
    if (action === 'rollback' || action === 'retire')
      await client.call(doing, `skill_${action}_recommendation`, { recommendation_id, reason })
    else await client.call(doing, commands[action], { recommendation_id })
    await onChanged()
    setBusy(false)
  }
  const questions = {
    apply_canary: asks === null ? null : visibleText(asks),
    promote_to_live: told.liveQuestion(kind),
  }
  const impossible = actions.filter(({ possible }) => !possible)
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start gap-2">
        {actions
          .filter(({ possible }) => possible)
          .map(({ action }) => {
            const name = evolutionWords.actions[action]
            const label = told.of(name, title)
            if (action === 'rollback' || action === 'retire') {
              return (
                <AskReason
                  key={action}
                  name={name}
                  label={label}
                  reason={told.reason}
                  isBusy={isBusy}
                  act={(reason) => act(action, reason)}
                />
              )
            }
            const question = action === 'apply_canary' || action === 'promote_to_live' ? questions[action] : null
            if (question !== null && (action === 'apply_canary' || action === 'promote_to_live'))
              return <AskFirst key={action} name={name} label={label} question={question} yes={told.yes[action]} act={() => act(action)} />
            return (
              <PrimaryButton key={action} aria-label={label} disabled={isBusy} onClick={() => act(action)}>
                {name}
              </PrimaryButton>
            )
          })}
      </div>
      {impossible.length > 0 && (
        <SmallFold summary={`${told.notNow}: ${impossible.map(({ action }) => evolutionWords.actions[action]).join(', ')}`}>
          {() => (
            <ul className="space-y-1">
              {impossible.map(({ action, because }) => (
                <li key={action} className="break-words">
                  <span className="font-medium">{evolutionWords.actions[action]}:</span> {visibleSentence(because ?? '')}
                </li>
              ))}
            </ul>
          )}
        </SmallFold>
      )}
    </div>
  )
}
