// What can stop a run from outside, and how gently.

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
