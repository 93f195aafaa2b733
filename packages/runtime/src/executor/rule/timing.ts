// When a negotiation is repeated, and how long its result counts.

const second_ms = 1_000
const minute_ms = 60 * second_ms

export const negotiationTiming = {
  /** The delay after the first failure; it doubles with each further one. */
  first_retry_ms: 5 * second_ms,
  /** After many failures, and after one that only a user can fix. */
  longest_retry_ms: 5 * minute_ms,
  /** The clocks of two machines differ, so the expiry that an executor names counts only between these. */
  shortest_lifetime_ms: minute_ms,
  longest_lifetime_ms: 10 * minute_ms,
  /** For executors that do not name one. */
  usual_lifetime_ms: 5 * minute_ms,
  /** After the start of the runtime, so that it does not compete with the window. */
  start_ms: second_ms,
  start_spread_ms: 2 * second_ms,
} as const

const { first_retry_ms, longest_retry_ms, shortest_lifetime_ms, longest_lifetime_ms, usual_lifetime_ms, start_ms, start_spread_ms } =
  negotiationTiming

/** `failures` in a row, at least one. `random` is from 0 to 1: the delay is between half and all of the backoff. */
export function retryDelay(failures: number, canRecover: boolean, random: number): number {
  const backoff = canRecover ? Math.min(longest_retry_ms, first_retry_ms * 2 ** Math.min(failures - 1, 20)) : longest_retry_ms
  return Math.round(backoff * (0.5 + random / 2))
}

/** `claimed`: the expiry that the executor named, in milliseconds; null if it named none. */
export function lifetime(claimed: number | null, now: number): number {
  if (claimed === null || !Number.isFinite(claimed)) return usual_lifetime_ms
  return Math.min(longest_lifetime_ms, Math.max(shortest_lifetime_ms, Math.round(claimed - now)))
}

/** Before it expires, with enough time for two more attempts. */
export function renewalDelay(lifetime_ms: number, random: number): number {
  return Math.round(lifetime_ms * (0.6 + random * 0.2))
}

/** The first attempt of a process: when it is due, and not all at once. A wall clock that was changed never postpones it for long. */
export function startDelay(next_attempt_at: number | null, now: number, random: number): number {
  const due = next_attempt_at === null ? 0 : next_attempt_at - now
  return Math.min(longest_lifetime_ms, Math.max(due, Math.round(start_ms + random * start_spread_ms)))
}
