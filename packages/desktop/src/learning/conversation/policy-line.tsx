// One line in a conversation about a policy change that is on trial, with a way to undo it, or that was undone.
import { useState } from 'react'
import { followLink, learningAddress } from '../../address.ts'
import { useRuntimeClient } from '../../client/use-client.ts'
import { Icon } from '../../part/icon.tsx'
import type { PolicyNotice } from '../../store/policy-notice.ts'
import { learningWords } from '../../strings/learning.ts'
import { visibleName } from '../../text/name.ts'

const told = learningWords.notice

export function PolicyLine({ notice }: { notice: PolicyNotice }) {
  const client = useRuntimeClient()
  const [isBusy, setBusy] = useState(false)
  const { candidate_id, undone } = notice
  const title = visibleName(notice.title)
  const undo = async () => {
    setBusy(true)
    await client.call(learningWords.doing.rollback, 'agent_run_rollback_policy_candidate', { candidate_id, reason: '' })
    setBusy(false)
  }
  return (
    <article
      aria-label={told.label}
      data-policy={undone === null ? 'applied' : 'undone'}
      className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 rounded-lg bg-sunken px-3 py-1.5 text-soft text-sm"
    >
      <Icon name="settings" size={14} className="shrink-0 self-center text-faint" />
      <span className="min-w-0 flex-1 basis-60 break-words">
        {undone === null ? told.applied(title) : told.undone(title, visibleName(undone))}
      </span>
      <span className="flex gap-3">
        {undone === null && (
          <button type="button" disabled={isBusy} aria-label={told.undoOf(title)} onClick={undo} className="link-button">
            {told.undo}
          </button>
        )}
        <a href={learningAddress('candidates', candidate_id)} onClick={followLink} className="link-button">
          {told.details}
        </a>
      </span>
    </article>
  )
}
