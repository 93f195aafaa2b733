// What can stop a run from outside, and how gently.
import type { FailureStage } from '@tandem/contract/failure'

export type StopKind = 'pause' | 'restore' | 'cancel' | 'shutdown'

/** `pause` lets a running tool finish. The others stop it with everything it started; a restore undoes its changes anyway. */
export interface StopSignals {
  /** Aborts the model's response. */
  readonly model: AbortSignal
  /** Aborts a running tool. */
  readonly tool: AbortSignal
  kind(): StopKind | null
  reason(): string | null
  stop(kind: StopKind, reason: string | null): void
}

export class StoppedError extends Error {
  constructor(kind: StopKind) {
    super(`the run was stopped (${kind})`)
    this.name = 'StoppedError'
  }
}

const strength: Record<StopKind, number> = { pause: 0, restore: 1, shutdown: 1, cancel: 2 }

export function createStopSignals(): StopSignals {
  const model = new AbortController()
  const tool = new AbortController()
  let told: StopKind | null = null
  let why: string | null = null
  return {
    model: model.signal,
    tool: tool.signal,
    kind: () => told,
    reason: () => why,
    stop(kind, reason) {
      if (told !== null && strength[told] >= strength[kind]) return
      told = kind
      why = reason
      model.abort(new StoppedError(kind))
      if (kind !== 'pause') tool.abort(new StoppedError(kind))
    },
  }
}

/** The stage of a run at which an unexpected error occurred: the innermost stage that was entered. */
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
