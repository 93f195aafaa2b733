// When a run that no model answered is tried again by itself. Pure.

const second_ms = 1_000
const firstWait_ms = 30 * second_ms
const longestWait_ms = 30 * 60 * second_ms
/** About a day. After that a person says when. */
export const mostRetries = 50

/** A server may ask for longer, but not for ever. */
const longestAsked_ms = 24 * 60 * 60 * second_ms

/** How long to wait before the next try; null when there is none. A little random, so that many runs do not come at once. `asked_ms` is what the server asked for. */
export function retryAfter(retries: number, random: number, asked_ms = 0): number | null {
  if (retries >= mostRetries) return null
  const own = Math.min(longestWait_ms, firstWait_ms * 2 ** retries) * (0.9 + random * 0.2)
  return Math.round(Math.max(own, Math.min(asked_ms, longestAsked_ms) * (1 + random * 0.02)))
}
