// The policy candidates that are on trial for an agent: what changes its policy on this device without being part of it.
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import { followLink, learningAddress } from '../../address.ts'
import { useCommand } from '../../client/use-request.ts'
import { learningWords } from '../../strings/learning.ts'
import { visibleText } from '../../text/visible.ts'

const none: readonly PolicyCandidate[] = []

/** `version`: the newest event about candidates. */
export function useTrials(agent_id: string, version: number): readonly PolicyCandidate[] {
  const { state: asked } = useCommand('agent_run_list_policy_candidates', { agent_id, states: ['canary_applied'], limit: 200 }, { version })
  return asked.state === 'ready' ? asked.value.items.filter(({ adopted_at }) => adopted_at === null) : none
}

/** In the row of a tool: each leads to its candidate. */
export function TrialLinks({ trials, tool }: { trials: readonly PolicyCandidate[]; tool: string }) {
  return trials
    .filter(({ changes }) => changes.some((change) => change.tool === tool))
    .map(({ id, title }) => (
      <a
        key={id}
        href={learningAddress('candidates', id)}
        onClick={followLink}
        className="block text-cloud text-xs underline underline-offset-4"
      >
        {learningWords.candidates.onTrial(visibleText(title))}
      </a>
    ))
}
