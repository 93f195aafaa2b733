// What is measured of Tandem and of the peer, and how.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often each is measured; a flush as often as there are conversations. */
export const counts = { messages: 200, searches: 210, adds: 110, found: 40, prompts: 110, limit: 10 }

export interface Times {
  /** Of each call, in milliseconds. */
  readonly took: readonly number[]
  /** How long the main thread did nothing else, at most. */
  readonly blocked: number
}

export interface Measured {
  /** The first one is that of a process that has just started. */
  readonly flush: Times
  readonly search: Times
  readonly add: Times
  /** Until a search finds it. */
  readonly addAndFind: Times
}

export interface MeasuredTandem extends Measured {
  readonly prompt: Times
  /** Memories that the flushes wrote, in total. */
  readonly flushed: number
}

export interface MeasuredPeer extends Measured {
  readonly bytes: number
}

/** One after another; `between` is not measured. */
export async function timed<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  between: (item: Item) => Promise<void> = async () => undefined,
): Promise<Times> {
  const took: number[] = []
  let blocked = 0
  for (const item of items) {
    await between(item)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    // It counts from its first tick on.
    await rest(3)
    const from = performance.now()
    await work(item)
    took.push(performance.now() - from)
    await rest(3)
    delay.disable()
    // A timer of 1 ms is what is measured with.
    blocked = Math.max(blocked, delay.max / 1e6 - 1)
  }
  return { took, blocked }
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
