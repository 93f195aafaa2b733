// What happens next on this device with deleted conversations that are branches of each other, or with a single one. Pure.

export interface DeletedState {
  /** When the last of them may be erased at the earliest. Infinity if one is not deleted: branches read the history of the others. */
  readonly erase_at: number
  /** Whether runs of this device are open: another device deleted it while they were. */
  readonly open_runs: boolean
  /** Whether the cloud has not received a deletion yet. Without an account, or if the user signed out, there is nothing to send. */
  readonly unsent: boolean
  /** When this device last received everything that the cloud has, 0 if never; null without an account, or if the user signed out. */
  readonly pulled_at: number | null
  /** In how many rounds of this process they were late: a device that wakes up gets the time to reach the cloud first. */
  readonly late_rounds: number
}

/** How long they wait for the cloud, after they could be erased: the user deleted them, and the device may never be online again. */
export const longest_wait_ms = 30 * 24 * 60 * 60 * 1_000
/** About an hour. */
export const mostLateRounds = 60

export type DeletionAction = 'stop_runs' | 'wait' | 'erase'

interface ActionRow {
  readonly when: (state: DeletedState, now: number) => boolean
  readonly action: DeletionAction
}

/** The first row that applies. */
export const deletionActions: readonly ActionRow[] = [
  { when: ({ open_runs }) => open_runs, action: 'stop_runs' },
  { when: ({ erase_at }, now) => now < erase_at, action: 'wait' },
  { when: ({ erase_at, late_rounds }, now) => isLate(erase_at, now) && late_rounds >= mostLateRounds, action: 'erase' },
  { when: ({ unsent }) => unsent, action: 'wait' },
  // Another device may have restored it while this one was asleep.
  { when: ({ pulled_at, erase_at }) => pulled_at !== null && pulled_at <= erase_at, action: 'wait' },
  { when: () => true, action: 'erase' },
]

export function nextAction(state: DeletedState, now: number): DeletionAction {
  return deletionActions.find(({ when }) => when(state, now))?.action ?? 'wait'
}

export function isLate(erase_at: number, now: number): boolean {
  return now >= erase_at + longest_wait_ms
}
