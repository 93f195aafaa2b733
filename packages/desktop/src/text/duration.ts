import { unitWords } from '../strings/units.ts'

/** Such as `250 ms`, `12 s`, `3 min` or `2 h`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return unitWords.milliseconds(milliseconds)
  if (milliseconds < 100_000) return unitWords.seconds(milliseconds / 1_000)
  const minutes = Math.round(milliseconds / 60_000)
  return minutes < 120 ? unitWords.minutes(minutes) : unitWords.hours(minutes / 60)
}
