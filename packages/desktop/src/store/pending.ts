// What needs an answer of the user, in all conversations: approvals and questions, by the conversation in which they are shown. Pure.
import type { PendingApproval, PendingQuestion } from '@tandem/contract/command'
import { firstConversation } from './team.ts'
import type { WindowState } from './window-state.ts'

type Known = Pick<WindowState, 'approvals' | 'questions' | 'runs' | 'teams'>

export type PendingItem =
  | ({ readonly kind: 'approval'; readonly id: string } & PendingApproval)
  | ({ readonly kind: 'question'; readonly id: string } & PendingQuestion)

export interface PendingGroup {
  /** Null if its run was not read yet. */
  readonly conversation_id: string | null
  readonly items: readonly PendingItem[]
}

/** Each once, however often it was reported. */
export function pendingItems({ approvals, questions }: Pick<Known, 'approvals' | 'questions'>): readonly PendingItem[] {
  const all: readonly PendingItem[] = [
    ...approvals.map((one) => ({ kind: 'approval' as const, id: one.approval.approval_id, ...one })),
    ...questions.map((one) => ({ kind: 'question' as const, id: one.question.question_id, ...one })),
  ]
  return [...new Map(all.map((one) => [`${one.kind}:${one.id}`, one])).values()]
}

export function pendingCount(state: Pick<Known, 'approvals' | 'questions'>): number {
  return state.approvals.length + state.questions.length === 0 ? 0 : pendingItems(state).length
}

/** A member of a team asks in the first conversation of its team. */
export function placeOfRun({ runs, teams }: Pick<Known, 'runs' | 'teams'>, run_id: string): string | null {
  return firstConversation({ teams }, run_id) ?? runs.get(run_id)?.conversation_id ?? null
}

/** In the order in which they were asked. */
export function pendingGroups(state: Known): readonly PendingGroup[] {
  const groups = Map.groupBy(pendingItems(state), ({ run_id }) => placeOfRun(state, run_id))
  return [...groups].map(([conversation_id, items]) => ({ conversation_id, items }))
}
