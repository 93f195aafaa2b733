// Repeats a request. The next one waits for the response to the last: a response that takes longer than the interval would otherwise always
// be late, because a newer request was sent, and nothing would be shown.
import type { Clock } from '../connection/clock.ts'

/** Returns a function that ends it. */
export function repeat(clock: Clock, every_ms: number, ask: () => Promise<void>): () => void {
  let isOver = false
  let cancel: () => void = () => undefined
  const wait = () => {
    cancel = clock.after(every_ms, async () => {
      await ask()
      if (!isOver) wait()
    })
  }
  wait()
  return () => {
    isOver = true
    cancel()
  }
}
