// A clock that stops until a test advances it.
import type { Clock } from '../../../src/clock/clock.ts'

export interface TestClock extends Clock {
  /** Advances time, running timers that become due, in order. */
  advance(ms: number): void
  /** Sets only the wall clock, as a user would. */
  set(now: number): void
}

export function testClock(start = Date.parse('2026-03-01T09:00:00.000Z')): TestClock {
  let wall = start
  let elapsed = 0
  let order = 0
  const timers = new Map<number, { due: number; call: () => void }>()

  function nextDue(until: number) {
    return [...timers].filter(([, timer]) => timer.due <= until).sort((left, right) => left[1].due - right[1].due || left[0] - right[0])[0]
  }

  function move(to: number) {
    wall += to - elapsed
    elapsed = to
  }

  return {
    now: () => wall,
    elapsed: () => elapsed,
    after(ms, call) {
      const id = order++
      timers.set(id, { due: elapsed + Math.max(0, ms), call })
      return () => timers.delete(id)
    },
    advance(ms) {
      const until = elapsed + ms
      for (let next = nextDue(until); next; next = nextDue(until)) {
        timers.delete(next[0])
        move(next[1].due)
        next[1].call()
      }
      move(until)
    },
    set(now) {
      wall = now
    },
  }
}
