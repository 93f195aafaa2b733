// What happens next with a deleted conversation on this device. Pure.

export interface DeletedState {
  /** When it may be erased at the earliest. */
  readonly erase_at: number
  /** Whether runs of this device are open: another device deleted it while they were. */
  readonly open_runs: boolean
  /** Whether a branch of its family is not deleted: it reads the history of the others. */
  readonly is_read: boolean
  /** Whether the cloud has not received the deletion yet. Without an account there is nothing to send. */
  readonly unsent: boolean
}

export type DeletionAction = 'stop_runs' | 'wait' | 'erase'

interface ActionRow {
  readonly when: (state: DeletedState, now: number) => boolean
  readonly action: DeletionAction
}

/** The first row that applies. */
export const deletionActions: readonly ActionRow[] = [
  { when: ({ open_runs }) => open_runs, action: 'stop_runs' },
  { when: ({ erase_at }, now) => now < erase_at, action: 'wait' },
  { when: ({ is_read }) => is_read, action: 'wait' },
  { when: ({ unsent }) => unsent, action: 'wait' },
  { when: () => true, action: 'erase' },
]

export function nextAction(state: DeletedState, now: number): DeletionAction {
  return deletionActions.find(({ when }) => when(state, now))?.action ?? 'wait'
}
