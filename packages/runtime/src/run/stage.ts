// The stage of a run at which an unexpected error occurred: the innermost stage that was entered.
import type { FailureStage } from '@tandem/contract/failure'
import { StoppedError } from './stops.ts'

export class StageError extends Error {
  readonly stage: FailureStage

  constructor(stage: FailureStage, cause: unknown) {
    super(`unexpected error at stage ${stage}`, { cause })
    this.name = 'StageError'
    this.stage = stage
  }
}

/** Adds the stage to whatever `work` throws. A stop is not an error and passes through unchanged. */
export async function atStage<Value>(stage: FailureStage, work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof StageError || error instanceof StoppedError ? error : new StageError(stage, error)
  }
}
