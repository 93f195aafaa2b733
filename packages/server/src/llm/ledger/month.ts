// Calendar months in UTC: the span of a budget.

/** `2026-09`. */
export type Month = string

/** The month of a moment in milliseconds since 1970. */
export function monthOf(ts: number): Month {
  return new Date(ts).toISOString().slice(0, 7)
}

/** When the next month begins, in milliseconds since 1970. */
export function monthEnd(ts: number): number {
  const date = new Date(ts)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
