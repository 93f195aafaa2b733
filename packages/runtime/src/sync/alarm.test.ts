import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openAlarm } from './alarm.ts'

/** Sets the alarm, or advances the clock. */
const steps = fc.array(
  fc.oneof(
    fc.record({ set: fc.option(fc.integer({ min: 0, max: 4 }), { nil: null }) }),
    fc.record({ advance: fc.integer({ min: 0, max: 4 }) }),
  ),
  { maxLength: 30, size: 'max' },
)

test('rings once, at the last time that was set, and never has a second timer', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const clock = testClock()
      const timers = new Set<object>()
      const rings: number[] = []
      const expected: number[] = []
      let due: number | null = null
      const alarm = openAlarm(
        {
          ...clock,
          after(ms, call) {
            const timer = {}
            timers.add(timer)
            const cancel = clock.after(ms, () => {
              timers.delete(timer)
              call()
            })
            return () => {
              timers.delete(timer)
              cancel()
            }
          },
        },
        () => rings.push(clock.elapsed()),
      )
      for (const step of list) {
        if ('set' in step) {
          due = step.set === null ? null : clock.elapsed() + step.set
          alarm(due)
        } else {
          clock.advance(step.advance)
          if (due !== null && due <= clock.elapsed()) {
            expected.push(due)
            due = null
          }
        }
        expect(timers.size).toBe(due === null ? 0 : 1)
      }
      expect(rings).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})
