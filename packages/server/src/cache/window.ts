// The rate limit rule (GCRA), pure. The Lua script in redis-scripts.ts is this function with the clock of Redis.
//
// A window is one number, the time at which it will be full again; each point taken moves that time back by seconds/points.
// Why not a counter per window: a fixed window allows twice the limit at its edge; a sliding pair of counters guesses how the previous
// window was distributed and cannot return exactly when the next call fits. This can, with one number per key, for any cost.
// The price: an idle caller may take `points` at once and then gets points/seconds, so the first window can see up to twice `points`.

export interface Limit {
  readonly points: number
  readonly seconds: number
}

export interface WindowResult {
  allowed: boolean
  limit: number
  /** Whole points that are available now. */
  remaining: number
  /** Allowed: until the window is full again. Refused: until the same cost fits (Retry-After). Whole seconds, rounded up. */
  reset_seconds: number
}

/** `full_at` and `now` in ms; also returns the new `full_at`. A cost above `points` never fits; 0 only reads; a negative one returns it. */
export function takeFromWindow(full_at: number | undefined, now: number, limit: Limit, cost: number): [WindowResult, number] {
  const span = limit.seconds * 1000
  const interval = span / limit.points
  // No call can move the time further ahead than a span: if it is, the clock was set back.
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

// A microsecond: the rounding error of seconds/points must not cost a caller a point.
const rounding = 0.001

function wholePoints(room: number, interval: number): number {
  return Math.max(0, Math.floor((room + rounding) / interval))
}

function secondsUp(ms: number): number {
  return Math.ceil((ms - rounding) / 1000) || 0
}
