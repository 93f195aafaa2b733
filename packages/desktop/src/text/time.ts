// Times in the local time zone.
import { locale } from '../strings/locale.ts'

export function formatTime(timestamp: string, now = new Date()): string {
  const at = new Date(timestamp)
  if (Number.isNaN(at.getTime())) return timestamp
  const isToday = at.toDateString() === now.toDateString()
  const clock = at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
  return isToday ? clock : `${at.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' })}, ${clock}`
}
