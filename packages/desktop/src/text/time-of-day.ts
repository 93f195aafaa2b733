import { formatTime } from './time.ts'

/** To the second: calls of a run follow each other quickly. */
export function formatTimeWithSeconds(timestamp: string): string {
  const seconds = new Date(timestamp).getSeconds()
  return Number.isNaN(seconds) ? timestamp : `${formatTime(timestamp)}:${String(seconds).padStart(2, '0')}`
}
