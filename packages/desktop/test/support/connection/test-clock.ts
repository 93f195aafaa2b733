// A clock that only advances when a test advances it.
import type { Clock } from '../../../src/connection/clock.ts'

export interface TestClock extends Clock {
  /** Runs the callbacks that become due, in order. */
  pass(ms: number): void
  readonly waiting: number
}

export function testClock(start = 0): TestClock {
  let now = start
  let due: { readonly at: number; readonly what: () => void }[] = []
  return {
    now: () => now,
    after(ms, what) {
      const one = { at: now + ms, what }
      due = [...due, one]
      return () => {
        due = due.filter((other) => other !== one)
      }
    },
    pass(ms) {
      const end = now + ms
      for (;;) {
        const [next] = due.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)
        if (!next) break
        due = due.filter((other) => other !== next)
        now = Math.max(now, next.at)
        next.what()
      }
      now = end
    },
    get waiting() {
      return due.length
    },
  }
}
