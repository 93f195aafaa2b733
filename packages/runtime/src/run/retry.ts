// When a run that no model answered is tried again by itself. Pure.

const second_ms = 1_000
const firstWait_ms = 30 * second_ms
const longestWait_ms = 30 * 60 * second_ms
/** About a day. After that a person says when. */
export const mostRetries = 50

/** How long to wait before the next try; null when there is none. A little random, so that many runs do not come at once. */
export function retryAfter(retries: number, random: number): number | null {
  if (retries >= mostRetries) return null
  return Math.round(Math.min(longestWait_ms, firstWait_ms * 2 ** retries) * (0.9 + random * 0.2))
}
