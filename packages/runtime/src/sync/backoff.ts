// The delay after this many consecutive failures: it doubles, has jitter, and is never shorter than the cloud requested.

const first_ms = 1_000
const longest_ms = 5 * 60_000

export function backoff(failures: number, random: () => number, atLeast_ms = 0): number {
  const full = Math.min(longest_ms, first_ms * 2 ** Math.min(failures - 1, 30))
  return Math.round(Math.max(atLeast_ms * (1 + random() * 0.2), full / 2 + (random() * full) / 2))
}
