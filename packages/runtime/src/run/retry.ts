// When a run whose model did not respond is retried automatically. Pure.

const second_ms = 1_000
const firstWait_ms = 30 * second_ms
const longestWait_ms = 30 * 60 * second_ms
/** About a day. After that, a user must resume. */
export const mostRetries = 50

/** A server may request a longer delay, within this limit. */
const longestAsked_ms = 24 * 60 * 60 * second_ms

/** The delay before the next attempt; null if there is none. Slightly random, to spread retries. `asked_ms`: what the server requested. */
export function retryAfter(retries: number, random: number, asked_ms = 0): number | null {
  if (retries >= mostRetries) return null
  const own = Math.min(longestWait_ms, firstWait_ms * 2 ** retries) * (0.9 + random * 0.2)
  return Math.round(Math.max(own, Math.min(asked_ms, longestAsked_ms) * (1 + random * 0.02)))
}
