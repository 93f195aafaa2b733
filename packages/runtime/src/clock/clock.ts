// Time as the runtime knows it. Everything that waits or dates something takes a clock, so that a test can own it.

export interface Clock {
  /** Wall-clock time in whole milliseconds. People set it; it may jump. */
  now(): number
  /** Milliseconds that only go forward, for durations. */
  elapsed(): number
  /** Calls back once after `ms`; the answer takes the call back. A waiting timer does not keep the process alive. */
  after(ms: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, call) {
    // setTimeout counts in 32 bits: what is further away is waited for in stages.
    const longest = 2 ** 31 - 1
    let timer: NodeJS.Timeout
    const wait = (left: number) => {
      timer = setTimeout(() => (left > longest ? wait(left - longest) : call()), Math.min(left, longest))
      timer.unref()
    }
    wait(Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}

/** The time as it stands in records and on the wire: ISO 8601 UTC with milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

/** Ends after `ms`, or at once with the signal's reason. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Dates synchronized writes: wall time, but never back and never twice the same. */
export interface HybridClock {
  /** A stamp in whole milliseconds, later than every one before it. */
  next(): number
  /** A stamp seen elsewhere, or kept from an earlier life: what is written here comes after it. */
  observe(stamp: number): void
  /** The backend said the wall clock here is wrong by so much (positive: it is behind). */
  correct(offset: number): void
}

export function hybridClock(clock: Clock, last = 0): HybridClock {
  let latest = last
  let offset = 0
  return {
    next() {
      latest = Math.max(clock.now() + offset, latest + 1)
      return latest
    },
    observe(stamp) {
      latest = Math.max(latest, stamp)
    },
    correct(by) {
      offset = by
      // A clock that was ahead has dated things in the future; from now on the corrected time counts.
      latest = Math.min(latest, clock.now() + offset)
    },
  }
}
