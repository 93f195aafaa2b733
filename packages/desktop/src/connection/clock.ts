// The window's clock; tests replace it.

export interface Clock {
  now(): number
  /** Returns a function that cancels it. */
  after(ms: number, what: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, what) {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
}
