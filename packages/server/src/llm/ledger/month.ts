// Calendar months in UTC: the period of a budget.

/** `2026-09`. */
export type Month = string

/** The month of a time in milliseconds since 1970. */
export function monthOf(ts: number): Month {
  if (ts < last.from || ts >= last.until) {
    const date = new Date(ts)
    last = { from: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()), until: monthEnd(ts), month: date.toISOString().slice(0, 7) }
  }
  return last.month
}

/** Used by every call, and the result changes twelve times a year. */
let last: { readonly from: number; readonly until: number; readonly month: Month } = { from: 0, until: 0, month: '' }

/** When the next month starts, in milliseconds since 1970. */
export function monthEnd(ts: number): number {
  const date = new Date(ts)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
