// Time as the window sees it; tests own it.

export interface Clock {
  now(): number
  /** The answer takes it back. */
  after(ms: number, what: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, what) {
    const timer = setTimeout(what, ms)
    return () => clearTimeout(timer)
  },
}
