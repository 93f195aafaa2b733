// One line in the conversation in which a routine was noticed, with a way to dismiss what Tandem proposes for it.
import { useState } from 'react'
import { evolutionAddress, followLink } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { Icon } from '../../part/icon.tsx'
import type { Suggestion } from '../../store/suggestion.ts'
import { evolutionWords } from '../../strings/evolution.ts'
import { visibleName } from '../../text/name.ts'

const told = evolutionWords.suggestion

export function SuggestionLine({ suggestion }: { suggestion: Suggestion }) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const { id, gap_analysis_id, state } = suggestion
  const title = visibleName(suggestion.title)
  const dismiss = async () => {
    setBusy(true)
    await client.call(evolutionWords.doing.dismiss, 'skill_dismiss_gap_analysis', { gap_analysis_id })
    setBusy(false)
  }
  return (
    <article
      aria-label={told.label}
      data-suggestion={state}
      className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 rounded-lg bg-sunken px-3 py-1.5 text-soft text-sm"
    >
      <Icon name="skills" size={14} className="shrink-0 self-center text-faint" />
      <span className="min-w-0 flex-1 basis-60 break-words">{textOf(suggestion, title)}</span>
      <span className="flex gap-3">
        {state !== 'live' && state !== 'rolled_back' && (
          <button type="button" disabled={isBusy} aria-label={told.dismissOf(title)} onClick={dismiss} className="link-button">
            {told.dismiss}
          </button>
        )}
        <a href={evolutionAddress('recommendations', id)} onClick={followLink} className="link-button">
          {told.details}
        </a>
      </span>
    </article>
  )
}

function textOf({ state, kind, rollback_reason }: Suggestion, title: string): string {
  if (state === 'live') return told.live(title)
  return state === 'rolled_back' ? told.rolledBack(title, visibleName(rollback_reason ?? '')) : told.testing(kind, title)
}
