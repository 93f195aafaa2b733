// The hybrid clock that dates synchronized writes: wall time, but never back and never twice the same.
import type { Clock } from './clock.ts'

export interface HybridClock {
  /** A stamp in whole milliseconds, later than every one before it. */
  next(): number
  /** A stamp seen elsewhere, or kept from an earlier life: what is written here comes after it. */
  observe(stamp: number): void
  /** The backend said the wall clock here is wrong by so much (positive: it is behind). */
  correct(offset: number): void
}

export function hybridClock(clock: Clock, last = 0): HybridClock {
  let latest = last
  let offset = 0
  return {
    next() {
      latest = Math.max(clock.now() + offset, latest + 1)
      return latest
    },
    observe(stamp) {
      latest = Math.max(latest, stamp)
    },
    correct(by) {
      offset = by
      // A clock that was ahead has dated things in the future; from now on the corrected time counts.
      latest = Math.min(latest, clock.now() + offset)
    },
  }
}
