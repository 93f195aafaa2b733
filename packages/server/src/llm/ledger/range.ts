// The days of a report, and their defaults.
import { limits } from '@tandem/contract/limits'
import type { UsageQuery } from '@tandem/contract/llm'
import type { FieldError } from '@tandem/contract/validation'

const dayMs = 24 * 60 * 60 * 1_000
const defaultDays = 30

export type DayRange =
  | { readonly ok: true; readonly since: string; readonly until: string }
  | { readonly ok: false; readonly faults: readonly FieldError[] }

/** Both days are inclusive. Default: the last 30 days; with one given, the 30 days up to it or everything from it to today. */
export function dayRange({ since, until }: Pick<UsageQuery, 'since' | 'until'>, now: number): DayRange {
  const faults = [...dayFault('/query/since', since), ...dayFault('/query/until', until)]
  if (faults.length > 0) return { ok: false, faults }
  const last = until ?? dayOf(now)
  const first = since ?? dayOf(Date.parse(last) - (defaultDays - 1) * dayMs)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  if (days < 1) {
    const message = until === undefined ? 'must not be after today' : 'must not be after `until`'
    return { ok: false, faults: [{ pointer: '/query/since', message }] }
  }
  if (days > limits.usage_days) {
    return {
      ok: false,
      faults: [{ pointer: '/query/since', message: `is too early: a report can cover at most ${limits.usage_days} days` }],
    }
  }
  return { ok: true, since: first, until: last }
}

function dayFault(pointer: string, day: string | undefined): FieldError[] {
  if (day === undefined) return []
  const time = Date.parse(day)
  // 30 February matches the pattern; years below 1970 or above 9999 have no calls and cannot be formatted.
  const exists = !Number.isNaN(time) && dayOf(time) === day && day >= '1970-01-01'
  return exists ? [] : [{ pointer, message: 'must be a valid date, in 1970 or later' }]
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
