// One timer at most: setting it again replaces the one before.
import type { Clock } from '../clock/clock.ts'

/** Sets when it rings, by `clock.elapsed()`; null: not at all. */
export type Alarm = (at: number | null) => void

export function openAlarm(clock: Clock, ring: () => void): Alarm {
  let timer: { readonly at: number; cancel(): void } | null = null
  return (at) => {
    if (at === (timer?.at ?? null)) return
    timer?.cancel()
    timer = null
    if (at === null) return
    const cancel = clock.after(at - clock.elapsed(), () => {
      timer = null
      ring()
    })
    timer = { at, cancel }
  }
}
