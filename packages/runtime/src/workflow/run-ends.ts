// Commands that wait until a workflow run has ended. They hold nothing: after a restart the caller asks again.
import type { Clock } from '../clock/clock.ts'

export interface RunEnds {
  /** Resolves when the workflow run ends, when the time is over, or when Tandem is closed. */
  next(workflow_run_id: string, limit_ms: number): Promise<void>
  tell(workflow_run_id: string): void
  stop(): void
}

export function openRunEnds(clock: Clock): RunEnds {
  const waiting = new Map<string, Set<() => void>>()
  return {
    async next(workflow_run_id, limit_ms) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const own = waiting.get(workflow_run_id) ?? new Set()
      waiting.set(workflow_run_id, own.add(resolve))
      const cancel = clock.after(limit_ms, resolve)
      await promise
      cancel()
      own.delete(resolve)
      if (own.size === 0) waiting.delete(workflow_run_id)
    },
    tell(workflow_run_id) {
      for (const resolve of waiting.get(workflow_run_id) ?? []) resolve()
    },
    stop() {
      for (const own of waiting.values()) for (const resolve of own) resolve()
    },
  }
}
