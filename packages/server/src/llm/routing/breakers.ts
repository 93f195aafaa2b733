// One breaker for each upstream and model, on this node.
import { type Breaker, type BreakerEvent, newBreaker, step, waitOf } from './breaker.ts'

export interface Breakers {
  /** Milliseconds until it may be asked; 0 is now, and counts as asked. */
  ask(id: string): number
  tell(id: string, event: Exclude<BreakerEvent, 'asked'>): void
}

/** Only those that have failed are kept; names come from callers, so their number is bounded. */
const keptMax = 2_000

export function openBreakers(now: () => number, changed: (id: string, state: Breaker['state']) => void): Breakers {
  const kept = new Map<string, Breaker>()

  function move(id: string, event: BreakerEvent): void {
    const before = kept.get(id) ?? newBreaker
    const after = step(before, event, now())
    if (after.state !== before.state) changed(id, after.state)
    kept.delete(id)
    if (after.state === 'closed' && after.failures === 0) return
    kept.set(id, after)
    const oldest = kept.size > keptMax ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    ask(id) {
      const breaker = kept.get(id)
      if (!breaker) return 0
      const wait = waitOf(breaker, now())
      if (wait === 0) move(id, 'asked')
      return wait
    },
    tell(id, event) {
      // The way of nearly every call.
      if (event !== 'failed' && !kept.has(id)) return
      move(id, event)
    },
  }
}
