// The rate limit rule (GCRA), pure. The Lua script in redis-take.ts is this function over Redis' own clock.
//
// A window is one number, the moment at which it will be whole again; each point taken pushes that moment back by seconds/points.
// Why not a counter a window: a fixed window lets twice the limit through at its edge, a sliding pair of counters guesses how the previous
// window was spread and can't say exactly when the next call will fit. This says so, in one number a key, for any cost.
// The price: a caller who rested may take `points` at once and then gets points/seconds, so the first window can see up to twice `points`.

export interface Limit {
  readonly points: number
  readonly seconds: number
}

export interface Taken {
  allowed: boolean
  limit: number
  /** Whole points still free now. */
  remaining: number
  /** Allowed: until the window is whole again. Refused: until the same cost fits (Retry-After). Whole seconds, rounded up. */
  reset_seconds: number
}

/** `full_at` and `now` in milliseconds; the second part of the answer is the new `full_at`. A cost above `points` never fits; 0 only looks; a negative one gives back. */
export function takeFromWindow(full_at: number | undefined, now: number, limit: Limit, cost: number): [Taken, number] {
  const span = limit.seconds * 1000
  const interval = span / limit.points
  // No call can have pushed the moment further than a span ahead: if it is, the clock was set back.
  const start = Math.min(Math.max(full_at ?? now, now), now + span)
  const next = Math.max(start + cost * interval, now)
  const room = now + span - next
  if (room < -rounding) {
    const reset_ms = cost > limit.points ? span : -room
    return [
      { allowed: false, limit: limit.points, remaining: wholePoints(now + span - start, interval), reset_seconds: secondsUp(reset_ms) },
      start,
    ]
  }
  return [{ allowed: true, limit: limit.points, remaining: wholePoints(room, interval), reset_seconds: secondsUp(next - now) }, next]
}

// A microsecond: what seconds/points loses in floating point must not cost a caller a point.
const rounding = 0.001

function wholePoints(room: number, interval: number): number {
  return Math.max(0, Math.floor((room + rounding) / interval))
}

function secondsUp(ms: number): number {
  return Math.ceil((ms - rounding) / 1000) || 0
}
