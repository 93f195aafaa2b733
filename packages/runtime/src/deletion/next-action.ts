// What happens next with a deleted conversation on this device. Pure.

export interface DeletedState {
  /** When it may be erased at the earliest. */
  readonly erase_at: number
  /** Whether runs of this device are open: another device deleted it while they were. */
  readonly open_runs: boolean
  /** Until when one of its family is there or can be restored: branches read the history of the others. Infinity if one is not deleted. */
  readonly read_until: number
  /** Whether the cloud has not received the deletion yet. Without an account there is nothing to send. */
  readonly unsent: boolean
  /** When this device last received everything that the cloud has, 0 if never; null without an account. */
  readonly pulled_at: number | null
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
  { when: ({ read_until }, now) => now < read_until, action: 'wait' },
  { when: ({ unsent }) => unsent, action: 'wait' },
  // Another device may have restored it while this one was asleep.
  { when: ({ pulled_at, erase_at }) => pulled_at !== null && pulled_at <= erase_at, action: 'wait' },
  { when: () => true, action: 'erase' },
]

export function nextAction(state: DeletedState, now: number): DeletionAction {
  return deletionActions.find(({ when }) => when(state, now))?.action ?? 'wait'
}
