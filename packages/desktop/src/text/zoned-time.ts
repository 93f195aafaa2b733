import { locale } from '../strings/locale.ts'

/** A time that comes, in another time zone. */
export function formatTimeIn(time_zone: string, timestamp: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Date(timestamp).toLocaleString(locale, { ...parts, timeZone: time_zone })
}
