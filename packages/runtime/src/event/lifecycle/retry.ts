// When a failed delivery is retried.

const first_ms = 1_000
const longest_ms = 60 * 60_000

/** Doubles with each failure, up to an hour. */
export function retryAfter(failures: number): number {
  return Math.min(longest_ms, first_ms * 2 ** (failures - 1))
}

/** No retry is later than this. A later time was written before the wall clock was set back, and counts as due. */
export function latestRetry(now: number): number {
  return now + longest_ms
}
