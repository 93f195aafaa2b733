import type { LocalRun } from '@tandem/contract/command'
import type { PauseReason } from '@tandem/contract/run'

/** Whether it waits for an answer of the user. */
export function isAskingReason(reason: PauseReason | null): boolean {
  return reason === 'approval' || reason === 'question'
}

export function isAsking(run: Pick<LocalRun, 'state' | 'pause_reason'> | null): boolean {
  return run?.state === 'paused' && isAskingReason(run.pause_reason)
}
