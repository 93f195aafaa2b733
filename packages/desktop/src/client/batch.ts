// Combines many small updates into one state change, at most every second frame: faster updates are not noticeable, and a streamed answer
// costs half as much.
import type { Clock } from '../connection/clock.ts'

export interface Batch<News> {
  add(news: News): void
  flush(): void
}

const framesMs = 33

export function openBatch<News>(clock: Clock, take: (news: readonly News[]) => void): Batch<News> {
  let waiting: News[] = []
  let cancel: (() => void) | null = null
  function flush(): void {
    cancel?.()
    cancel = null
    const news = waiting
    waiting = []
    if (news.length > 0) take(news)
  }
  return {
    flush,
    add(news) {
      waiting.push(news)
      cancel ??= clock.after(framesMs, flush)
    },
  }
}
