// How long ago something was, in words.
import { locale } from '../strings/locale.ts'
import { unitWords } from '../strings/units.ts'
import { formatTime } from './time.ts'

const steps = [
  { unit: 'minute', seconds: 60, most: 60 },
  { unit: 'hour', seconds: 3_600, most: 24 },
  { unit: 'day', seconds: 86_400, most: 14 },
] as const

const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })

/** Such as `5 minutes ago`; what is older than two weeks has its date. */
export function formatAgo(timestamp: string, now: number): string {
  const at = Date.parse(timestamp)
  if (Number.isNaN(at)) return timestamp
  const seconds = Math.max(0, (now - at) / 1_000)
  if (seconds < 60) return unitWords.justNow
  for (const { unit, seconds: length, most } of steps) {
    const value = Math.floor(seconds / length)
    if (value < most) return format.format(-value, unit)
  }
  return formatTime(timestamp, new Date(now))
}
