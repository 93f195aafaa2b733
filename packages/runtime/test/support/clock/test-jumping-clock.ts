// The time of the system, which can jump: what is due late runs only when it does.
import { type Clock, systemClock } from '../../../src/clock/clock.ts'

export interface JumpingClock extends Clock {
  jump(ms: number): void
}

/** `isLate`: whether something that is due in so many milliseconds waits for a jump. */
export function jumpingClock(isLate: (ms: number) => boolean): JumpingClock {
  let jumped_ms = 0
  const late = new Set<{ readonly due: number; call(): void }>()
  const now = () => Date.now() + jumped_ms
  return {
    ...systemClock,
    now,
    after(ms, call) {
      if (!isLate(ms)) return systemClock.after(ms, call)
      const timer = { due: now() + ms, call }
      late.add(timer)
      return () => late.delete(timer)
    },
    jump(ms) {
      jumped_ms += ms
      for (const timer of [...late].filter(({ due }) => due <= now())) {
        late.delete(timer)
        timer.call()
      }
    },
  }
}
