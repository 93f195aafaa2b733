// At most one timer: setting it again replaces the previous one.
import type { Clock } from '../clock/clock.ts'

/** Sets when it rings, by `clock.elapsed()`; null for never. */
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
