// Times, in the local time zone unless another is named.
import { locale } from '../strings/locale.ts'

export function formatTime(timestamp: string, now = new Date()): string {
  const at = new Date(timestamp)
  if (Number.isNaN(at.getTime())) return timestamp
  const isToday = at.toDateString() === now.toDateString()
  const clock = at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  return isToday ? clock : `${at.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock}`
}

/** With the day of the week, for a time that comes. */
export function formatTimeIn(time_zone: string, timestamp: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Date(timestamp).toLocaleString(locale, { ...parts, timeZone: time_zone })
}
