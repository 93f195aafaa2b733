// Which policy candidates a conversation shows: those on trial for its agent, and those that were undone while it ran with them.
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import type { RunJournal } from './journal.ts'

export interface PolicyNotice {
  readonly candidate_id: string
  readonly title: string
  /** Why it was undone; null while it is on trial. */
  readonly undone: string | null
  readonly at: string
}

type Shown = Pick<
  PolicyCandidate,
  'id' | 'title' | 'state' | 'conversation_id' | 'canary_applied_at' | 'adopted_at' | 'rolled_back_at' | 'rollback_reason'
>

/** `candidates` are those of the agent of the conversation. */
export function policyNotices(
  candidates: readonly Shown[],
  conversation_id: string,
  journals: Iterable<Pick<RunJournal, 'conversation_id' | 'steps'>>,
): readonly PolicyNotice[] {
  const times = [...journals].flatMap((journal) => {
    const [first, last] = [journal.steps[0], journal.steps.at(-1)]
    return journal.conversation_id === conversation_id && first && last ? [{ from: first.ts, to: last.ts }] : []
  })
  return candidates.flatMap(
    ({
      id: candidate_id,
      title,
      state,
      canary_applied_at,
      adopted_at,
      rolled_back_at,
      rollback_reason,
      ...of
    }): readonly PolicyNotice[] => {
      if (canary_applied_at === null || adopted_at !== null) return []
      if (state === 'canary_applied') return [{ candidate_id, title, undone: null, at: canary_applied_at }]
      if (state !== 'rolled_back' || rolled_back_at === null) return []
      const isAbout = times.some(({ from, to }) => from <= rolled_back_at && to >= canary_applied_at)
      if (of.conversation_id !== conversation_id && !isAbout) return []
      return [{ candidate_id, title, undone: rollback_reason ?? '', at: rolled_back_at }]
    },
  )
}
