import { setImmediate } from 'node:timers/promises'
import type { Events } from './events.ts'

/** In rounds until nothing old is left; who waits for the store comes in between. How many went. */
export async function forgetOld(events: Pick<Events, 'forget'>, before: number, signal: AbortSignal): Promise<number> {
  let all = 0
  for (;;) {
    if (signal.aborted) return all
    const gone = events.forget(before)
    if (gone === 0) return all
    all += gone
    await setImmediate()
  }
}
