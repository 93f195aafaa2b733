// Why a run is paused, in the words of the terminal.
import type { PauseReason } from '@tandem/contract/run'

export const pauseTexts = {
  approval: 'a call needs your approval',
  question: 'a question needs your answer',
  user: 'it was paused',
  crash: 'it was interrupted',
  restore: 'a recovery point was restored',
  model: 'the model did not respond',
  child: 'it is waiting for a run it started',
  workflow: 'it is waiting for a workflow',
  time: 'it is waiting until a set time',
  budget: 'its budget is used up',
} as const satisfies Record<PauseReason, string>
