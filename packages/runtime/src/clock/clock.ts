// The runtime's time. Everything that waits or records a time gets a clock, so that a test can control it.

export interface Clock {
  /** Wall-clock time in whole milliseconds. Users can change it, so it may jump. */
  now(): number
  /** Monotonic milliseconds, for durations. */
  elapsed(): number
  /** Calls back once after `ms`; returns a function that cancels it. A pending timer does not keep the process alive. */
  after(ms: number, call: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, call) {
    // setTimeout uses 32 bits, so longer waits are split.
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

/** The time in records and on the wire: ISO 8601 UTC with milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

/** Resolves after `ms`, or rejects immediately with the signal's reason. */
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

/** Stamps synchronized writes: wall-clock time, but strictly increasing. */
export interface HybridClock {
  /** A stamp in whole milliseconds, later than all stamps before it. */
  next(): number
  /** A stamp from another device or an earlier process: later writes on this device get a later stamp. */
  observe(stamp: number): void
  /** The backend reported that the wall clock is wrong by this much (positive: it is behind). */
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
      // A clock that was ahead has produced stamps in the future; from now on, the corrected time is used.
      latest = Math.min(latest, clock.now() + offset)
    },
  }
}
