/** Such as `250 ms`, `12 s`, `3 min` or `2 h`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 100_000) return `${Math.round(milliseconds / 1_000)} s`
  const minutes = Math.round(milliseconds / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
