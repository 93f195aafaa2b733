// How a run ended, as the exit code of a program.
import type { PauseReason, RunState } from '@tandem/contract/run'

export const exitCodes = { completed: 0, failed: 1, usage: 2, paused: 3, no_model: 4, mismatch: 5, canceled: 130 } as const

export function exitCodeOf(state: RunState, pause_reason: PauseReason | null): number {
  switch (state) {
    case 'completed':
      return exitCodes.completed
    case 'failed':
      return exitCodes.failed
    case 'canceled':
      return exitCodes.canceled
    case 'paused':
      return pause_reason === 'model' ? exitCodes.no_model : exitCodes.paused
    case 'running':
      return exitCodes.paused
  }
}
